internal import SKANCore

/// Laws of load_many: each item must get the result of a single load. Records are saved one by one.
extension Law {
    static let ofLoadMany = [
        Law("load_many answers as load does, for 1 to 1024 keys", of: .loadMany) { run, store throws(LawEnd) in
            let shelf = try run.halfFilledShelf(store)
            for count in [1, 2, 3, 7, 100, Limits.batchItems / 2] {
                // Places without records, places with records, and both together.
                for (first, step) in [(0, 2), (1, 2), (0, 1), (1, 1)] {
                    try shelf.look(store, (0..<count).map { first + $0 * step })
                }
            }
            try shelf.look(store)
        },
        Law("load_many sees every change", of: .loadMany) { run, store throws(LawEnd) in
            var shelf = try run.shelf(3)
            for round in 0..<run.rounds {
                let changed = round % 3
                if shelf.places[changed].version != 0 && round % 4 == 3 {
                    try shelf.remove(store, [changed])
                } else {
                    try shelf.save(store, [changed]) { _ in "the record at place \(round)" }
                }
                try shelf.look(store)
            }
        },
        Law("load_many takes keys in any order", of: .loadMany) { run, store throws(LawEnd) in
            let shelf = try run.halfFilledShelf(store)
            try shelf.look(store, (0..<60).reversed())
            var drawing = run.drawing
            for round in 0..<20 { try shelf.look(store, drawing.order(round > 0 ? 60 : Limits.batchItems)) }
        },
        Law("load_many gives 1024 records of 32768 bytes", of: .loadMany) { run, store throws(LawEnd) in
            var drawing = run.drawing
            let bytes = drawing.bytes(Limits.recordBytes)
            try run.keeps(
                store,
                (0..<Limits.batchItems).map { index in
                    RecordBytes([UInt8(index / 256), UInt8(index % 256)] + bytes.dropFirst(2))
                })
        },
        Law("load_many gives any bytes", of: .loadMany) { run, store throws(LawEnd) in
            try run.keeps(
                store,
                [
                    "\0", "x", "\0behind", "before\0behind", "a,b", "\\x41", "NULL", "{}", "\"", "\r\n",
                    RecordBytes([0xFF, 0xFE, 0x80]), "$1\r\nx\r\n", "'; --", " ",
                ])
        },
        Law("load_many tells keys apart", of: .loadMany) { run, store throws(LawEnd) in
            try store.tellsApart(run.oddKeys())
        },
        Law("load_many replaces what the buffers held", of: .loadMany) { run, store throws(LawEnd) in
            var shelf = try run.shelf(2)
            try shelf.save(store) { $0 == 0 ? "a record" : "b record" }
            for held in buffersHeld { try shelf.look(store, over: held) }
        },
        // A store may sort a copy of the items, but not the caller's array.
        Law("load_many leaves its items in place", of: .loadMany) { run, store throws(LawEnd) in
            var shelf = try run.unsortedShelf()
            try shelf.save(store, [1, 3]) { "the record at place \($0)" }
            try shelf.look(store)
        },
    ]
}

extension LawRun {
    /// A shelf with as many places as a batch may have. Every second place has a record.
    fileprivate func halfFilledShelf(_ store: Handle) throws(LawEnd) -> Shelf {
        var shelf = try shelf(Limits.batchItems)
        try shelf.save(store, [Int](stride(from: 1, to: Limits.batchItems, by: 2))) { "the record at place \($0)" }
        return shelf
    }
}

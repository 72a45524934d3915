internal import SKANCore

/// Laws of many loads in one call: each item is answered as a load would be.
extension Law {
    static let ofLoadMany = [
        Law("load_many answers as load does, for 1 to 1024 keys", of: .loadMany) { run, store throws(LawEnd) in
            let shelf = try Shelf(run, store)
            for count in [1, 2, 3, 7, 100, Limits.batchItems / 2] {
                // Without records, with, and both.
                for (first, step) in [(0, 2), (1, 2), (0, 1), (1, 1)] {
                    try shelf.load((0..<count).map { first + $0 * step })
                }
            }
            try shelf.load([Int](0..<Limits.batchItems))
        },
        Law("load_many sees every change", of: .loadMany) { run, store throws(LawEnd) in
            let keys = [try run.key("one"), try run.key("two"), try run.key("three")]
            var versions: [UInt64] = [0, 0, 0]
            var records: [RecordBytes] = ["", "", ""]
            for round in 0..<run.rounds {
                let changed = round % 3
                if versions[changed] != 0 && round % 4 == 3 {
                    try store.removes(keys[changed], over: versions[changed])
                    versions[changed] = 0
                } else {
                    records[changed] = "the record at place \(round)"
                    versions[changed] = try store.saves(keys[changed], records[changed], over: versions[changed])
                }
                let loaded = store.loadMany(keys)
                for index in keys.indices { try loaded.holds(at: index, records[index], versions[index]) }
            }
        },
        Law("load_many takes keys in any order", of: .loadMany) { run, store throws(LawEnd) in
            let shelf = try Shelf(run, store)
            try shelf.load((0..<60).reversed())
            var drawing = run.drawing
            for round in 0..<20 { try shelf.load(drawing.order(round > 0 ? 60 : Limits.batchItems)) }
        },
        Law("load_many gives 1024 records of 32768 bytes", of: .loadMany) { run, store throws(LawEnd) in
            var drawing = run.drawing
            let bytes = drawing.bytes(Limits.recordBytes)
            let records = (0..<Limits.batchItems).map { index in
                RecordBytes([UInt8(index / 256), UInt8(index % 256)] + bytes.dropFirst(2))
            }
            try store.loadsMany(run.keys(records.count) { "large \($0)" }, records)
        },
        Law("load_many gives any bytes", of: .loadMany) { run, store throws(LawEnd) in
            let records: [RecordBytes] = [
                "\0", "x", "\0behind", "before\0behind", "a,b", "\\x41", "NULL", "{}", "\"", "\r\n",
                RecordBytes([0xFF, 0xFE, 0x80]), "$1\r\nx\r\n", "'; --", " ",
            ]
            try store.loadsMany(run.keys(records.count) { "bytes \($0)" }, records)
        },
        Law("load_many tells keys apart", of: .loadMany) { run, store throws(LawEnd) in
            let keys = try run.oddKeys()
            for missing in 0..<2 {
                var versions = [UInt64](repeating: 0, count: keys.count)
                for (index, key) in keys.enumerated() {
                    try store.clear(key)
                    if index % 2 != missing { versions[index] = try store.saves(key, Shelf.record(index)) }
                }
                let loaded = store.loadMany(keys)
                for index in keys.indices { try loaded.holds(at: index, Shelf.record(index), versions[index]) }
            }
        },
        Law("load_many replaces what the buffers held", of: .loadMany) { run, store throws(LawEnd) in
            let keys = [try run.key("one"), try run.key("two")]
            let versions = [try store.saves(keys[0], "a record"), try store.saves(keys[1], "b record")]
            for held in buffersHeld {
                let loaded = store.loadMany(keys, over: held)
                try loaded.holds(at: 0, "a record", versions[0])
                try loaded.holds(at: 1, "b record", versions[1])
            }
        },
        // A store may sort for itself, not for its caller.
        Law("load_many leaves its items in place", of: .loadMany) { run, store throws(LawEnd) in
            let names: [Message] = ["m", "z", "a", "y", "b"]
            let keys = try run.keys(names.count) { names[$0] }
            for index in [1, 3] { try store.saves(keys[index], "a record") }
            for (index, answer) in store.loadMany(keys).answers.enumerated() {
                if answer.isItemChanged {
                    throw .broken("load_many changed the key or the buffer of item \(index)")
                }
                if answer.status != (index % 2 == 1 ? .ok : .notFound) {
                    throw .broken("load_many, item \(index): answered \(answer.status.told)")
                }
            }
        },
    ]
}

/// Keys of which every second has a record.
private struct Shelf {
    let store: Handle
    let keys: [Key]
    /// 0 = no record.
    private var versions: [UInt64] = []

    init(_ run: LawRun, _ store: Handle) throws(LawEnd) {
        self.store = store
        keys = try run.keys(Limits.batchItems) { "place \($0)" }
        for (place, key) in keys.enumerated() {
            versions.append(place % 2 == 1 ? try store.saves(key, Shelf.record(place)) : 0)
        }
    }

    static func record(_ place: Int) -> RecordBytes { "the record at place \(place)" }

    /// Loads these places at once.
    func load(_ places: [Int]) throws(LawEnd) {
        let loaded = store.loadMany(places.map { keys[$0] })
        for (index, place) in places.enumerated() {
            try loaded.holds(at: index, Shelf.record(place), versions[place])
        }
    }
}

extension Handle {
    fileprivate func loadsMany(_ keys: [Key], _ records: [RecordBytes]) throws(LawEnd) {
        var versions: [UInt64] = []
        for (key, record) in zip(keys, records) { versions.append(try saves(key, record)) }
        let loaded = loadMany(keys)
        for index in keys.indices { try loaded.holds(at: index, records[index], versions[index]) }
    }
}

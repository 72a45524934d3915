internal import SKANCore

/// Laws of records: a load must return exactly what was saved.
extension Law {
    static let ofRecords = [
        Law("a missing record is not found") { run, store throws(LawEnd) in
            var shelf = Shelf([try run.key("missing"), try run.key("other"), try run.key("missing, beside another")])
            try shelf.look(store, [0])
            try shelf.save(store, [1]) { _ in "a record" }
            try shelf.look(store)
        },
        Law("load gives what was saved, with its version") { run, store throws(LawEnd) in
            var shelf = try run.shelf(1)
            for round in 0..<run.rounds {
                try shelf.save(store) { _ in "record \(round) of the round" }
                for _ in 0..<2 { try shelf.look(store) }
            }
        },
        Law("records of 1 byte are kept") { run, store throws(LawEnd) in
            let key = try run.key("key")
            for byte in UInt8.min...UInt8.max { try store.keeps(key, RecordBytes([byte])) }
        },
        Law("records of 32768 bytes are kept") { run, store throws(LawEnd) in
            let key = try run.key("key")
            var drawing = run.drawing
            for _ in 0..<4 { try store.keeps(key, RecordBytes(drawing.bytes(Limits.recordBytes))) }
            // These bytes have the longest representation in most text encodings, too.
            try store.keeps(key, RecordBytes(repeating: 0xFF, count: Limits.recordBytes))
        },
        Law("records with NUL bytes are kept") { run, store throws(LawEnd) in
            let key = try run.key("key")
            let records: [RecordBytes] = [
                "\0", "\0behind", "before\0behind", "before\0", "before\0\0\0\0", "\0\0\0\0\0\0\0\0",
            ]
            for record in records { try store.keeps(key, record) }
        },
        Law("records with every byte value are kept") { run, store throws(LawEnd) in
            let key = try run.key("key")
            let bytes = [UInt8](0...255)
            let records: [RecordBytes] = [
                RecordBytes(bytes), RecordBytes(bytes.reversed()),
                RecordBytes((0..<512).map { bytes[$0 / 2] }),  // \r\r, \n\n, '' and \\
                "line\r\nline\rline\n", " \t spaces at both ends \t ", noUTF8,
            ]
            for record in records { try store.keeps(key, record) }
        },
        Law("records of many lengths are kept") { run, store throws(LawEnd) in
            let key = try run.key("key")
            let bytes = (0..<Limits.recordBytes).map { UInt8(truncatingIfNeeded: $0 * 7 + $0 / 256) }
            let powers = (8...15).flatMap { power in (1 << power) - 1...(1 << power) + 1 }
            for length in [Int](1...130) + powers where length <= bytes.count {
                try store.keeps(key, RecordBytes([UInt8](bytes[..<length])))
            }
        },
        Law("a shorter record leaves nothing of a longer one") { run, store throws(LawEnd) in
            var shelf = try run.shelf(1)
            for power in (0...12).reversed() {
                try shelf.save(store) { _ in RecordBytes(repeating: UInt8(ascii: "x"), count: 1 << power) }
                try shelf.look(store)
            }
        },
        Law("load replaces what the buffer held") { run, store throws(LawEnd) in
            var shelf = try run.shelf(2)
            try shelf.save(store) { $0 == 0 ? "a record" : "the record of another key" }
            for held in buffersHeld { try shelf.look(store, [0], over: held) }
            try shelf.look(store, [1], over: "a record")
            try shelf.look(store, [0], over: "the record of another key")
            try shelf.look(store)  // into two buffers at a time
        },
        Law("save copies the record") { run, store throws(LawEnd) in
            try store.copies([run.key("key")], "a record\0") { loan in loan.spoilRecord() }
        },
        Law("save copies the key") { run, store throws(LawEnd) in
            try store.copies([run.key("key")], "a record\0") { loan in loan.spoilKey() }
        },
    ]

    static var buffersHeld: [RecordBytes] {
        ["", "x", "a RECORD", "much longer than any of the records that are loaded here"]
    }

    private static var noUTF8: RecordBytes {
        let bytes: [[UInt8]] = [
            RecordBytes("\u{FEFF}text ").bytes, [0xC3, 0x28], RecordBytes(" that is no UTF-8 ").bytes,
            [0xED, 0xA0, 0x80, 0x20, 0xF5, 0x80, 0x80, 0x80, 0x20, 0xFF, 0xFE],
        ]
        return RecordBytes(bytes.flatMap { $0 })
    }
}

extension Handle {
    /// Saves a record as a new one and over another one. Each time a load must return it.
    fileprivate func keeps(_ key: Key, _ record: RecordBytes) throws(LawEnd) {
        try clear(key)
        var shelf = Shelf([key])
        for saved in [record, "another record", record] {
            try shelf.save(self) { _ in saved }
            try shelf.look(self)
        }
    }

    /// Saves from memory whose bytes `spoil` changes after the call. The memory is freed only after the loads, so that
    /// a store that kept a pointer fails the law and does not crash.
    func copies(_ keys: [Key], _ record: RecordBytes, _ spoil: (Loan) -> Void) throws(LawEnd) {
        var shelf = Shelf(keys)
        let loans = keys.map { Loan($0, record) }
        defer {
            for (key, loan) in zip(keys, loans) { loan.restore(key) }
            for key in keys { try? clear(key) }
            for loan in loans { loan.end() }
        }
        let saved = save(keys.map { Save(key: $0, record: record) }, loans)
        for loan in loans { spoil(loan) }
        for place in keys.indices { try shelf.note(place, record, saved.version(at: place)) }
        try shelf.look(self)
        for (key, loan) in zip(keys, loans) { loan.restore(key) }
        try shelf.save(self) { _ in "the next record" }
        try shelf.look(self)
    }
}

extension LawRun {
    /// Saves all these records and loads them again.
    func keeps(_ store: Handle, _ records: [RecordBytes]) throws(LawEnd) {
        var shelf = try shelf(records.count)
        try shelf.save(store) { records[$0] }
        try shelf.look(store)
    }
}

internal import SKANCore

/// Laws of records: what was saved is what is there.
extension Law {
    static let ofRecords = [
        Law("a missing record is not found") { run, store throws(LawEnd) in
            try store.holdsNothing(run.key("missing"))
            let other = try run.key("other")
            let version = try store.saves(other, "a record")
            try store.holdsNothing(run.key("missing, beside another"))
            try store.holds(other, "a record", version)
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
            // The longest of most text forms, too.
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
            let (key, other) = (try run.key("key"), try run.key("other"))
            let version = try store.saves(key, "a record")
            let others = try store.saves(other, "the record of another key")
            for held in buffersHeld { try store.holds(key, "a record", version, over: held) }
            try store.holds(other, "the record of another key", others, over: "a record")
            try store.holds(key, "a record", version, over: "the record of another key")

            // Two buffers at a time: neither is the store's own.
            let both = store.load([key, other])
            try both.holds(at: 0, "a record", version)
            try both.holds(at: 1, "the record of another key", others)
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
    /// Saved anew, over another record, and loaded each time.
    fileprivate func keeps(_ key: Key, _ record: RecordBytes) throws(LawEnd) {
        try clear(key)
        let inserted = try saves(key, record)
        try holds(key, record, inserted)
        let other = try saves(key, "another record", over: inserted)
        let saved = try saves(key, record, over: other)
        try holds(key, record, saved)
    }

    /// The memory of a call has other bytes once the call has returned; it is freed only after the loads, so that a
    /// store that kept it is found out, not crashed.
    func copies(_ keys: [Key], _ record: RecordBytes, _ spoil: (Loan) -> Void) throws(LawEnd) {
        let loans = keys.map { Loan($0, record) }
        defer {
            for (key, loan) in zip(keys, loans) { loan.restore(key) }
            for key in keys { try? clear(key) }
            for loan in loans { loan.end() }
        }
        let saved = save(keys.map { Save(key: $0, record: record) }, loans)
        for loan in loans { spoil(loan) }
        var versions: [UInt64] = []
        for (index, key) in keys.enumerated() {
            versions.append(try saved.version(at: index))
            try holds(key, record, versions[index])
        }
        for (key, loan) in zip(keys, loans) { loan.restore(key) }
        for (key, version) in zip(keys, versions) {
            try holds(key, "the next record", saves(key, "the next record", over: version))
        }
    }
}

extension LawRun {
    /// Saves all these records; each is there.
    func keeps(_ store: Handle, _ records: [RecordBytes]) throws(LawEnd) {
        var shelf = try shelf(records.count)
        try shelf.save(store) { records[$0] }
        try shelf.look(store)
    }
}

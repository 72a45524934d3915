internal import SKANCore

/// Laws of keys: keys are bytes, and keys with different bytes are different records.
extension Law {
    static let ofKeys = [
        // Keys of every length, from 1 byte (or the length of the run's prefix) up to the greatest. Each key is the
        // beginning of the next one.
        Law("keys of which one begins the other are apart") { run, store throws(LawEnd) in
            let prefix = run.settings.prefix.count
            let letters = RecordBytes("a/b:c.d-e_f|g").bytes
            try run.areApart(
                store,
                (max(prefix, 1)...Limits.installIDBytes).map { length in
                    (0..<length - prefix).map { letters[$0 % letters.count] }
                })
        },
        Law("keys of 128 bytes are apart in each byte") { run, store throws(LawEnd) in
            let length = Limits.installIDBytes - run.settings.prefix.count
            let key = [UInt8](repeating: UInt8(ascii: "k"), count: length)
            try run.areApart(
                store,
                [key]
                    + key.indices.map { place in
                        var other = key
                        other[place] = UInt8(ascii: "l")
                        return other
                    })
        },
        Law("keys of one printable character are apart") { run, store throws(LawEnd) in
            try run.areApart(store, (0x20..<0x7F).map { [$0] })
        },
        Law("keys in upper and lower case are apart", of: KeyWords.cases),
        Law("keys with other spaces are apart", of: KeyWords.spaces),
        Law("keys in other Unicode forms are apart") { run, store throws(LawEnd) in
            try run.areApart(store, KeyWords.unicode.map { $0.utf8 })
            // Both keys have as many bytes as a key may have, in characters of four bytes, and differ only in their
            // last byte.
            let face = RecordBytes("\u{1F600}").bytes
            let count = (Limits.installIDBytes - run.settings.prefix.count) / 4 - 1
            let faces = [[UInt8]](repeating: face, count: count).flatMap { $0 }
            try run.areApart(store, [faces + face, faces + RecordBytes("\u{1F601}").bytes])
        },
        Law("keys like patterns match themselves only", of: KeyWords.patterns),
        Law("keys like parts of query languages and paths are apart", of: KeyWords.languages),
        Law("keys with braces are apart", of: KeyWords.braces),
        Law("keys like numbers are apart", of: KeyWords.numbers),
        Law("keys like a store's own names are apart", of: KeyWords.ownNames),
    ]

    /// Creates a law that each of these words, behind the prefix, is the key of a record of its own.
    private init(_ name: StaticString, of words: [Message]) {
        self.init(name) { run, store throws(LawEnd) in try run.areApart(store, words.map { $0.utf8 }) }
    }
}

extension LawRun {
    /// Tests that each element of `rests`, behind the prefix, is the key of a record of its own.
    fileprivate func areApart(_ store: Handle, _ rests: [[UInt8]]) throws(LawEnd) {
        try store.tellsApart(rests.map { rest throws(LawEnd) in try exactKey(rest) })
    }
}

extension Handle {
    /// Inserts, changes and removes records under all these keys. A change of one must not affect the others.
    func tellsApart(_ keys: [Key]) throws(LawEnd) {
        var shelf = Shelf(keys)
        let even = [Int](stride(from: 0, to: keys.count, by: 2))
        let odd = [Int](stride(from: 1, to: keys.count, by: 2))
        try shelf.look(self)
        try shelf.save(self) { "record \($0), inserted" }
        try shelf.look(self)
        for (changed, removed) in [(even, odd), (odd, even)] {
            try shelf.save(self, changed) { "record \($0), changed" }
            try shelf.look(self)
            try shelf.remove(self, removed)
            try shelf.look(self)
        }
        try shelf.save(self) { "record \($0), saved again" }
        try shelf.look(self)
    }
}

extension LawRun {
    /// Keys that stores often quote wrongly, and the shortest and the longest keys.
    func oddKeys() throws(LawEnd) -> [Key] {
        let words = KeyWords.odd
        var odd = try keys(words.count) { words[$0] }
        odd.append(try longestKey(""))
        odd.append(try longestKey("longest"))
        odd.append(try key(""))
        let rests: [Message] = settings.prefix.isEmpty ? ["%", "x"] : [""]
        for rest in rests { odd.append(try exactKey(rest.utf8)) }
        return odd
    }
}

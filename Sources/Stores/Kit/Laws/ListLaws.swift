internal import SKANCore
internal import Synchronization

/// Laws of listing keys: keys are returned unchanged, keys that stay are listed at least once, and every listing ends.
extension Law {
    static let ofLists = [
        Law("nothing is listed where no record is", of: .list) { run, store throws(LawEnd) in
            try run.lists(store, [])
            var shelf = try run.shelf(1)
            try shelf.save(store) { _ in "a record" }
            try shelf.remove(store)
            try run.lists(store, [])
            try shelf.save(store, [(0, "must not get in", expected: 1)])
            try run.lists(store, [])
        },
        Law("list gives every key as it is", of: .list) { run, store throws(LawEnd) in
            let keys = try run.oddKeys()
            for key in keys { try store.saves(key, "a record") }
            try run.lists(store, keys)
        },
        Law("removed keys are not listed", of: .list) { run, store throws(LawEnd) in
            var shelf = try run.shelf(12)
            try shelf.save(store) { _ in "a record" }
            try run.lists(store, shelf.keys)
            for place in shelf.places.indices.map({ $0 * 5 % 12 }) {
                try shelf.remove(store, [place])
                try run.lists(store, shelf.places.filter { $0.version != 0 }.map { $0.key })
            }
            try shelf.save(store, [3]) { _ in "a record" }  // again
            try run.lists(store, [shelf.keys[3]])
        },
        Law("list gives more keys than a buffer holds, page by page", of: .list) { run, store throws(LawEnd) in
            let keys = try run.insertMany(store)
            try Listing(store, of: run.settings.prefix).expect(keys)
        },
        Law("keys that stay are listed while others come and go", of: .list) { run, store throws(LawEnd) in
            let keys = try run.insertMany(store)
            for index in 0..<keys.count / 4 {
                let key = try run.longestKey("0\(digits: 4 * index, 5)\(comingAndGoing)")
                try store.saves(key, "a record")
                _ = try run.exactKey([UInt8](run.keyInstead(of: key.bytes).dropFirst(run.settings.prefix.count)))
            }
            var listing = Listing()
            repeat {
                let known = listing.keys.count
                try listing.readPage(store, of: run.beginning)
                try run.changeOthers(store, among: listing.keys[known...])
            } while !listing.isComplete
            try listing.expect(keys, "a key that stayed is missing")
        },
        // Reads the pages through two handles in turn.
        Law("a listing goes on through another handle", of: .list) { run, own throws(LawEnd) in
            let second = try run.another()
            let keys = try run.insertMany(own)
            try Listing(own, second, of: run.settings.prefix).expect(keys)
        },
        // Cursors that no store would give: too long, or a meaningless mixture of bytes.
        Law("list refuses a cursor that it did not make", of: .list) { run, store throws(LawEnd) in
            let key = try run.key("key")
            try store.saves(key, "a record")
            try store.refusesOtherCursors(withPrefix: nil)
            try run.lists(store, [key])  // the store still works
        },
        Law("keys that stay are listed beside threads that save and remove", of: .list) { run, store throws(LawEnd) in
            let staying = try run.keys(200) { "\(digits: $0, 3) stays" }
            for key in staying { try store.saves(key, "a record") }
            let changing = try run.keys(100) { "\(digits: 2 * $0, 3)\(comingAndGoing)" }
            let (prefix, rounds, changers) = (run.settings.prefix, run.rounds, run.threads - 1)
            let fair = Fair()
            _ = try run.inThreads { index throws(LawEnd) in
                if index > 0 {
                    let own = stride(from: index - 1, to: changing.count, by: changers).map { changing[$0] }
                    return try fair.comeAndGo(store, own)
                }
                defer { fair.end() }
                for _ in 0..<rounds {
                    try Listing(store, of: prefix).expect(staying, "a key that stayed is missing")
                }
            }
        },
    ]

    private static var comingAndGoing: Message { " comes and goes" }
}

extension Handle {
    func refusesOtherCursors(withPrefix prefix: [UInt8]?) throws(LawEnd) {
        let cursors: [RecordBytes] = [
            "no cursor of this store", "\0", RecordBytes([0xFF, 0xFE, 0x01, 0x00] + RecordBytes(" ?\n'\"").bytes),
            "%s%n{}[]<>&;--", RecordBytes(repeating: 0xFE, count: 300),
            RecordBytes(repeating: 0xFE, count: Limits.bufferBytes),
        ]
        for cursor in cursors {
            let status = listed(withPrefix: prefix, after: cursor.bytes).status
            guard status != .store else { continue }
            let came: Message = "expected \(Status.store.name), got \(status.told)"
            let name: StaticString = prefix == nil ? "list" : "list_with_prefix"
            throw .broken("\(name) with a cursor that the store did not make (\(cursor.bytes.count) bytes): \(came)")
        }
    }
}

extension LawRun {
    /// Inserts records under so many keys of 128 bytes that the keys do not fit into one buffer.
    func insertMany(_ store: Handle) throws(LawEnd) -> [Key] {
        let keys = try (0..<8300).map { index throws(LawEnd) in try longestKey("0\(digits: index, 5)") }
        var shelf = Shelf(keys)
        for first in stride(from: 0, to: keys.count, by: Limits.batchItems) {
            let some = [Int](first..<min(first + Limits.batchItems, keys.count))
            try shelf.save(store.by(.saveMany), some) { _ in "a record" }
        }
        return keys
    }

    /// Returns the key that replaces `key`. In byte order it comes after all keys that are not replaced.
    fileprivate func keyInstead(of key: [UInt8]) -> [UInt8] {
        var instead = key
        instead[beginning.count] = UInt8(ascii: "~")
        return instead
    }

    /// Replaces each of `keys` that has a record and whose name contains " comes and goes". Keeps the other keys.
    fileprivate func changeOthers(_ store: Handle, among keys: ArraySlice<[UInt8]>) throws(LawEnd) {
        let coming = Message(" comes and goes").utf8
        let place = beginning.count + 6
        for key in keys where key.dropFirst(place).starts(with: coming) {
            let key = Key(key)
            let loaded = store.load(key)
            guard loaded.status == .ok else { continue }
            try store.expect(.ok, removing: key, over: loaded.version)
            try store.saves(Key(keyInstead(of: key.bytes)), "a record")
        }
    }
}

/// A signal by which a thread that lists keys stops the other threads, which insert and remove keys meanwhile.
private final class Fair: Sendable {
    private let isOver = Atomic<Bool>(false)

    func end() { isOver.store(true, ordering: .releasing) }

    /// Inserts and removes these keys, which no other thread uses, until `end` is called.
    func comeAndGo(_ store: Handle, _ keys: [Key]) throws(LawEnd) {
        var shelf = Shelf(keys)
        while !keys.isEmpty && !isOver.load(ordering: .acquiring) {
            for place in shelf.places.indices {
                if shelf.places[place].version == 0 {
                    try shelf.save(store, [place]) { _ in "here" }
                } else {
                    try shelf.remove(store, [place])
                }
            }
        }
    }
}

extension Message.StringInterpolation {
    /// Appends a number in `count` digits, with leading zeros.
    fileprivate mutating func appendInterpolation(digits number: Int, _ count: Int) {
        var digits = ByteBuffer(capacity: count)
        digits.append(decimal: UInt64(number), digits: count)
        appendInterpolation(Message(utf8: digits.array))
    }
}

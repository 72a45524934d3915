internal import SKANCore
internal import Synchronization

/// Laws of many threads at once, on one handle and on a handle each.
extension Law {
    static let ofThreads = [
        Law("parallel writers on one handle lose nothing") { run, store throws(LawEnd) in
            try run.countTogether(store, [store])
        },
        Law("parallel writers on a handle each lose nothing") { run, store throws(LawEnd) in
            try run.isShared()
            try run.withHandles { handles throws(LawEnd) in try run.countTogether(store, handles) }
        },
        Law("of parallel inserts exactly one wins") { run, store throws(LawEnd) in
            try run.oneWins(store, isInserted: false) { _ in .save }
        },
        Law("of parallel saves exactly one wins") { run, store throws(LawEnd) in
            try run.oneWins(store) { _ in .save }
        },
        Law("of parallel removes exactly one wins") { run, store throws(LawEnd) in
            try run.oneWins(store) { _ in .remove }
        },
        Law("of parallel saves and removes exactly one wins") { run, store throws(LawEnd) in
            try run.oneWins(store) { index in index % 2 == 1 ? .remove : .save }
        },
        Law("a load gives bytes and version of one save") { run, store throws(LawEnd) in
            let key = try run.key("key")
            let inserted = try store.saves(key, Letter(0).record)
            let writing = LetterWriting(store, key, inserted, rounds: run.rounds, readers: run.threads - 1)
            let seen = try run.inThreads { index throws(LawEnd) in
                index == 0 ? try writing.write() : try writing.read()
            }
            let written = [(version: inserted, letter: Letter(0))] + seen[0]
            for loads in seen.dropFirst() { try expectInOrder(loads, of: written) }
        },
        Law("parallel work on different keys does not mix") { run, store throws(LawEnd) in
            let keys = try run.keys(run.threads) { "key \($0)" }
            let rounds = run.rounds
            _ = try run.inThreads { index throws(LawEnd) in
                for _ in 0..<rounds { try store.keepsApart(keys[index], "the record of thread \(index)") }
            }
        },
    ]

    /// Versions are seen in the order of the saves, each with its bytes: one record, read by one thread.
    private static func expectInOrder(
        _ loads: [(version: UInt64, letter: Letter)], of written: [(version: UInt64, letter: Letter)]
    ) throws(LawEnd) {
        var place = 0
        for load in loads {
            while place < written.count && written[place].version != load.version { place += 1 }
            if place == written.count {
                throw .broken("version \(load.version) was loaded after a newer one, or never given")
            }
            if written[place].letter != load.letter {
                throw .broken("version \(load.version) came with the bytes of another save")
            }
        }
    }
}

// MARK: A counter

extension LawRun {
    /// Threads add to a number, through these handles in turn: no addition that was answered OK is lost.
    fileprivate func countTogether(_ store: Handle, _ handles: [Handle]) throws(LawEnd) {
        let key = try self.key("counter")
        let (threads, rounds) = (self.threads, self.rounds)
        let given = try inThreads { index throws(LawEnd) in
            var versions: [UInt64] = []
            for _ in 0..<rounds {
                // Each conflict is a write of another thread.
                let version = try handles[index % handles.count].adds1(key, by: index, attempts: threads * rounds + 1)
                versions.append(version)
            }
            return versions
        }
        let loaded = store.load(key)
        guard loaded.status == .ok else { throw .broken("load of the counter: answered \(loaded.status.told)") }
        let (wanted, number) = (UInt64(threads * rounds), Counter.number(in: loaded.record))
        if number != wanted {
            throw .broken("\(wanted &- number) increments of \(wanted) that were answered SKAN_OK were lost")
        }
        var versions = GivenVersions()
        for given in given { versions.add(given) }
        try versions.expectNoRepetition()
    }
}

extension Handle {
    fileprivate func adds1(_ key: Key, by index: Int, attempts: Int) throws(LawEnd) -> UInt64 {
        for _ in 0..<attempts {
            let loaded = load(key)
            guard loaded.status == .ok || loaded.status == .notFound else {
                throw .broken("load: answered \(loaded.status.told)")
            }
            let number = loaded.status == .ok ? Counter.number(in: loaded.record) : 0
            let saved = save(key, "\(number &+ 1) by \(index)", over: loaded.version)
            if saved.status == .ok { return saved.version }
            if saved.status != .storeConflict { throw .broken("save: answered \(saved.status.told)") }
            giveWay()
        }
        throw .broken("more conflicts than there were writes of other threads")
    }

    /// What one thread alone does to one key comes out as if it was alone in the store.
    fileprivate func keepsApart(_ key: Key, _ record: RecordBytes) throws(LawEnd) {
        let missing = load(key)
        if missing.status != .notFound { throw .broken("load of no record: answered \(missing.status.name)") }
        func expect(_ status: Status) throws(LawEnd) {
            if status != .ok { throw .broken("a call on its own key was answered \(status.told)") }
        }
        let inserted = save(key, record, over: 0)
        try expect(inserted.status)
        let saved = save(key, record, over: inserted.version)
        try expect(saved.status)
        let loaded = load(key)
        try expect(loaded.status)
        guard loaded.version == saved.version, record.holds(loaded.record) else {
            throw .broken("a load gave another record than its own thread had saved")
        }
        try expect(remove(key, over: saved.version))
    }
}

// MARK: One of all

extension LawRun {
    /// All expect the same version: one is answered OK, the others are conflicts, and the record is the one's.
    fileprivate func oneWins(
        _ store: Handle, isInserted: Bool = true, _ change: @escaping @Sendable (_ index: Int) -> Change
    ) throws(LawEnd) {
        let key = try self.key("key")
        for _ in 0..<rounds {
            try store.clear(key)
            let expected = isInserted ? try store.saves(key, "the record before") : 0
            let answers = try inThreads { index throws(LawEnd) in
                switch change(index) {
                case .save: store.save(key, "the record of thread \(index)", over: expected)
                case .remove: Written(store.remove(key, over: expected), version: 0)
                }
            }
            let winner = try self.winner(of: answers)
            try store.holds(key, asSaved: "the record of thread \(winner)", answers[winner].version)
        }
    }

    private func winner(of answers: [Written]) throws(LawEnd) -> Int {
        var winner: Int?
        for (index, answer) in answers.enumerated() {
            if answer.status == .ok {
                if let winner { throw .broken("threads \(winner) and \(index) were both answered SKAN_OK") }
                winner = index
            } else if answer.status != .storeConflict {
                throw .broken("thread \(index) was answered \(answer.status.told)")
            }
        }
        guard let winner else { throw .broken("no thread was answered SKAN_OK") }
        return winner
    }
}

// MARK: Loads during saves

/// A record is one letter many times, so many as belong to the letter.
private struct Letter: Equatable {
    let number: Int

    init(_ number: Int) { self.number = number }

    /// The letter of a record that was saved as a whole.
    init?(_ record: [UInt8]) {
        guard let first = record.first, UInt8(ascii: "a")...UInt8(ascii: "z") ~= first else { return nil }
        number = Int(first - UInt8(ascii: "a"))
        if !self.record.holds(record) { return nil }
    }

    var record: RecordBytes { RecordBytes(repeating: UInt8(ascii: "a") + UInt8(number), count: 1 + number * 150) }
}

/// One thread writes letters, the others read them meanwhile; each tells what it saw with which version. The writer
/// goes on until each reader has loaded `rounds` times beside it: on a busy machine it would be done before they begin.
private final class LetterWriting: Sendable {
    private let store: Handle
    private let key: Key
    private let inserted: UInt64
    private let rounds: Int
    private let reading: Atomic<Int>
    private let isWritten = Atomic<Bool>(false)

    init(_ store: Handle, _ key: Key, _ inserted: UInt64, rounds: Int, readers: Int) {
        self.store = store
        self.key = key
        self.inserted = inserted
        self.rounds = rounds
        reading = Atomic(readers)
    }

    func write() throws(LawEnd) -> [(version: UInt64, letter: Letter)] {
        defer { isWritten.store(true, ordering: .releasing) }
        var written: [(version: UInt64, letter: Letter)] = []
        while written.count < 4 * rounds || reading.load(ordering: .acquiring) > 0 {
            let letter = Letter(written.count * 7 % 26)
            let saved = store.save(key, letter.record, over: written.last?.version ?? inserted)
            guard saved.status == .ok else {
                throw .broken("save: answered \(saved.status.told), though nobody else writes")
            }
            written.append((saved.version, letter))
        }
        return written
    }

    func read() throws(LawEnd) -> [(version: UInt64, letter: Letter)] {
        var seen: [(version: UInt64, letter: Letter)] = []
        defer { if seen.count < rounds { reading.subtract(1, ordering: .releasing) } }
        while seen.count < rounds || (!isWritten.load(ordering: .acquiring) && seen.count < 16 * rounds) {
            let loaded = store.load(key)
            guard loaded.status == .ok else { throw .broken("load: answered \(loaded.status.told)") }
            guard let letter = Letter(loaded.record) else {
                throw .broken("a load gave \(loaded.record.count) bytes that nobody saved together")
            }
            seen.append((loaded.version, letter))
            if seen.count == rounds { reading.subtract(1, ordering: .releasing) }
        }
        return seen
    }
}

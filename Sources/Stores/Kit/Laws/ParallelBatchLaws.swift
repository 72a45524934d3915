internal import SKANCore
internal import Synchronization

/// Laws of many saves at once from many threads at once, on keys that they share and on keys of their own. A store that
/// takes locks in the order of the items ends in deadlocks here, and answers what is neither OK nor a conflict.
extension Law {
    static let ofParallelBatches = [
        Law("parallel batches on overlapping keys lose nothing", of: .saveMany) { run, store throws(LawEnd) in
            try run.countTogether(store, [store]) { _ in false }
        },
        Law("parallel batches and single saves lose nothing", of: .saveMany) { run, store throws(LawEnd) in
            try run.countTogether(store, [store]) { index in index % 2 == 0 }
        },
        Law("parallel batches on a handle each lose nothing", of: .saveMany) { run, store throws(LawEnd) in
            try run.isShared()
            try run.withHandles { handles throws(LawEnd) in
                try run.countTogether(store, handles) { index in index % 2 == 0 }
            }
        },
        // All expect the same versions of the same keys: each key is given to one of them.
        Law("of parallel batches exactly one wins each key", of: .saveMany) { run, store throws(LawEnd) in
            let keys = try run.counters()
            var drawings = (0..<run.threads).map { Drawing(seed: run.settings.seed &+ UInt64($0)) }
            var expected = [UInt64](repeating: 0, count: keys.count)
            for _ in 0..<run.rounds {
                let orders = drawings.indices.map { drawings[$0].order(keys.count) }
                let saves = orders.enumerated().map { index, order in
                    order.map { Save(key: keys[$0], record: "of thread \(index)", expected: expected[$0]) }
                }
                let answers = try run.inThreads { index throws(LawEnd) in try store.saveMany(saves[index]).arePlain() }
                for (place, key) in keys.enumerated() {
                    let winner = try winner(ofKey: place, orders.map { $0.firstIndex(of: place) }, answers)
                    try store.holds(key, "of thread \(winner.thread)", winner.version)
                    expected[place] = winner.version
                }
            }
        },
        Law("parallel batches of different keys do not mix", of: [.loadMany, .saveMany]) { run, store throws(LawEnd) in
            let rounds = run.rounds
            var keys: [[Key]] = []
            for thread in 0..<run.threads { keys.append(try run.counters(of: " \(thread)")) }
            let ownKeys = keys
            _ = try run.inThreads { index throws(LawEnd) in
                try store.keepsApart(ownKeys[index], rounds) { "record \($0) of thread \(index)" }
            }
        },
        Law("load_many gives bytes and version of one save", of: .loadMany) { run, store throws(LawEnd) in
            let writing = NumberWriting(store, try run.counters(), readers: run.threads - 1)
            let rounds = run.rounds
            let seen = try run.inThreads { index throws(LawEnd) in
                index == 0 ? try writing.write() : try writing.read(rounds)
            }
            let written = seen[0]
            for loads in seen.dropFirst() {
                for load in loads
                where load.number == 0 || load.number > UInt64(written.count)
                    || written[Int(load.number) - 1].version != load.version
                {
                    throw .broken("load_many gave version \(load.version) with the bytes of another save")
                }
            }
        },
    ]

    /// The thread that was answered OK for a key, which stands at a place of each thread's batch.
    private static func winner(
        ofKey key: Int, _ places: [Int?], _ answers: [[Written]]
    ) throws(LawEnd) -> (thread: Int, version: UInt64) {
        var winner: (thread: Int, version: UInt64)?
        for (thread, place) in places.enumerated() {
            guard let place, answers[thread][place].version != 0 else { continue }
            if let winner {
                throw .broken("threads \(winner.thread) and \(thread) were both answered SKAN_OK for key \(key)")
            }
            winner = (thread, answers[thread][place].version)
        }
        guard let winner else { throw .broken("no thread was answered SKAN_OK for key \(key)") }
        return winner
    }
}

extension SavedBatch {
    /// The answers to parallel saves, each of which is OK or a conflict.
    fileprivate func arePlain(_ call: StaticString = "save_many") throws(LawEnd) -> [Written] {
        for answer in answers where answer.status != .ok && answer.status != .storeConflict {
            throw .broken("\(call): answered \(answer.status.told)")
        }
        return answers
    }
}

// MARK: Counters

extension LawRun {
    /// Keys that threads share.
    fileprivate func counters(of thread: Message = "") throws(LawEnd) -> [Key] {
        try keys(12) { "counter \($0)\(thread)" }
    }

    /// Threads add to some of the counters, through these handles in turn: every addition that was answered OK is in
    /// the counter: neither lost, nor there although it conflicted.
    fileprivate func countTogether(
        _ store: Handle, _ handles: [Handle], _ isOneByOne: @escaping @Sendable (_ index: Int) -> Bool
    ) throws(LawEnd) {
        let keys = try counters()
        let (rounds, seed) = (self.rounds, settings.seed)
        let given = try inThreads { index throws(LawEnd) in
            var adding = Adding(handles[index % handles.count], keys, Drawing(seed: seed &+ UInt64(index)))
            for _ in 0..<rounds { try adding.addToSome(isOneByOne: isOneByOne(index)) }
            return adding.versions
        }
        for (place, key) in keys.enumerated() {
            var versions = GivenVersions()
            for given in given { versions.add(given[place]) }
            let loaded = store.load(key)
            guard loaded.status == .ok || loaded.status == .notFound else {
                throw .broken("load of a counter: answered \(loaded.status.told)")
            }
            let number = loaded.status == .ok ? Counter.number(in: loaded.record) : 0
            let added = versions.numbers.count
            if number != UInt64(added) {
                throw .broken("a counter is at \(number) after \(added) additions that were answered SKAN_OK")
            }
            try versions.expectNoRepetition()
        }
        if given.allSatisfy({ $0.allSatisfy { $0.isEmpty } }) { throw .broken("no addition was answered SKAN_OK") }
    }
}

/// One thread's additions.
private struct Adding {
    private let store: Handle
    private let keys: [Key]
    private var drawing: Drawing
    /// The versions that each key was given with the answer OK.
    private(set) var versions: [[UInt64]]

    init(_ store: Handle, _ keys: [Key], _ drawing: Drawing) {
        self.store = store
        self.keys = keys
        self.drawing = drawing
        versions = [[UInt64]](repeating: [], count: keys.count)
    }

    /// Adds 1 to some of the counters, in an order of its own.
    mutating func addToSome(isOneByOne: Bool) throws(LawEnd) {
        let count = 1 + drawing.below(keys.count)
        let places = drawing.order(keys.count)[..<count]
        let loaded = store.loadMany(places.map { keys[$0] })
        var saves: [Save] = []
        for (key, answer) in zip(loaded.keys, loaded.answers) {
            guard answer.status == .ok || answer.status == .notFound else {
                throw .broken("load_many: answered \(answer.status.told)")
            }
            let number = answer.status == .ok ? Counter.number(in: answer.record) : 0
            saves.append(Save(key: key, record: "\(number &+ 1) ", expected: answer.version))
        }
        let saved = try store.saveMany(saves, isOneByOne: isOneByOne).arePlain(isOneByOne ? "save" : "save_many")
        for (place, answer) in zip(places, saved) where answer.status == .ok {
            versions[place].append(answer.version)
        }
    }
}

// MARK: Different keys

extension Handle {
    /// What one thread alone does to its keys comes out as if it was alone in the store.
    fileprivate func keepsApart(_ keys: [Key], _ rounds: Int, _ record: (_ index: Int) -> RecordBytes) throws(LawEnd) {
        let records = keys.indices.map(record)
        var versions = [UInt64](repeating: 0, count: keys.count)
        for _ in 0..<rounds {
            let saved = saveMany(keys.indices.map { Save(key: keys[$0], record: records[$0], expected: versions[$0]) })
            for answer in saved.answers where answer.status != .ok {
                throw .broken("save_many of its own keys: answered \(answer.status.told)")
            }
            versions = saved.answers.map { $0.version }
            for (index, answer) in loadMany(keys).answers.enumerated() {
                guard answer.status == .ok else {
                    throw .broken("load_many of its own keys: answered \(answer.status.told)")
                }
                guard answer.version == versions[index], records[index].holds(answer.record) else {
                    throw .broken("load_many gave another record than its own thread had saved")
                }
            }
        }
    }
}

// MARK: Loads during saves

/// One thread writes each key anew, one after the other, with the number of the save, as long as the others read; they
/// see numbers that do not go back, and each with the version that it was saved with.
private final class NumberWriting: Sendable {
    private let store: Handle
    private let keys: [Key]
    private let reading: Atomic<Int>

    init(_ store: Handle, _ keys: [Key], readers: Int) {
        self.store = store
        self.keys = keys
        reading = Atomic(readers)
    }

    func write() throws(LawEnd) -> [(number: UInt64, version: UInt64)] {
        var versions = [UInt64](repeating: 0, count: keys.count)
        var written: [(number: UInt64, version: UInt64)] = []
        while reading.load(ordering: .acquiring) > 0 {
            let number = written.count + 1
            let place = number % keys.count
            let saved = store.save(keys[place], "\(number) ", over: versions[place])
            if saved.status != .ok {
                throw .broken("save of a key that nobody else saves: answered \(saved.status.told)")
            }
            versions[place] = saved.version
            written.append((UInt64(number), saved.version))
        }
        return written
    }

    func read(_ rounds: Int) throws(LawEnd) -> [(number: UInt64, version: UInt64)] {
        defer { reading.subtract(1, ordering: .releasing) }
        var newest = [UInt64](repeating: 0, count: keys.count)
        var seen: [(number: UInt64, version: UInt64)] = []
        for _ in 0..<rounds {
            for (place, answer) in loadMany().enumerated() {
                if answer.status == .notFound && newest[place] == 0 { continue }
                if answer.status != .ok { throw .broken("load_many: answered \(answer.status.told)") }
                let number = Counter.number(in: answer.record)
                if number < newest[place] || number == 0 {
                    throw .broken("load_many gave save \(number) after save \(newest[place])")
                }
                newest[place] = number
                seen.append((number, answer.version))
            }
        }
        return seen
    }

    private func loadMany() -> [Loaded] { store.loadMany(keys).answers }
}

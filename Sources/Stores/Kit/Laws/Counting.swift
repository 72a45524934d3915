internal import SKANCore

extension LawRun {
    /// Lets several threads add to `count` counters, each stored under a key; `handle` gives each thread its handle. At
    /// the end each counter must equal the number of its additions that were answered OK: no addition may be lost, and
    /// no addition that conflicted may be counted.
    func countTogether(
        _ store: Handle, _ count: Int, _ handle: @escaping @Sendable (_ thread: Int) -> Handle
    ) throws(LawEnd) {
        let keys = try keys(count) { "counter \($0)" }
        let (seed, threads, rounds) = (settings.seed, self.threads, self.rounds)
        let given = try inThreads { index throws(LawEnd) in
            var adding = Adding(handle(index), keys, Drawing(seed: seed &+ UInt64(index)))
            // The number of conflicts is limited, because each of them is caused by a write of another thread.
            for _ in 0..<rounds { try adding.addToSome(attempts: threads * rounds + 1) }
            return adding.versions
        }
        for (place, key) in keys.enumerated() {
            var versions = GivenVersions()
            for given in given {
                for version in given[place] { try versions.add(version) }
            }
            let (number, added) = (try store.load(key).counter(), versions.numbers.count)
            if number != UInt64(added) {
                throw .broken("a counter is at \(number) after \(added) additions that were answered SKAN_OK")
            }
        }
    }
}

private struct Adding {
    private let store: Handle
    private let keys: [Key]
    private var drawing: Drawing
    /// For each key, the versions of this thread's successful saves.
    private(set) var versions: [[UInt64]]

    init(_ store: Handle, _ keys: [Key], _ drawing: Drawing) {
        self.store = store
        self.keys = keys
        self.drawing = drawing
        versions = [[UInt64]](repeating: [], count: keys.count)
    }

    /// Adds 1 to some of the counters, in random order. Repeats this, at most `attempts` times, until at least one
    /// addition succeeds.
    mutating func addToSome(attempts: Int) throws(LawEnd) {
        let places = [Int](drawing.order(keys.count)[...drawing.below(keys.count)])
        for _ in 0..<attempts {
            if try addOnce(places) { return }
            giveWay()
        }
        throw .broken("more conflicts than there were writes of other threads")
    }

    /// Tries to add 1 to each of these counters. Returns whether at least one addition succeeded.
    private mutating func addOnce(_ places: [Int]) throws(LawEnd) -> Bool {
        var saves: [Save] = []
        for (place, answer) in zip(places, store.load(places.map { keys[$0] }).answers) {
            let number = try answer.counter()
            saves.append(Save(key: keys[place], record: "\(number &+ 1) ", expected: answer.version))
        }
        var isAdded = false
        for (place, answer) in zip(places, try store.save(saves).arePlain()) where answer.status == .ok {
            versions[place].append(answer.version)
            isAdded = true
        }
        return isAdded
    }
}

extension Loaded {
    /// The decimal number at the beginning of a record, modulo 2⁶⁴; 0 if there is no record.
    fileprivate func counter() throws(LawEnd) -> UInt64 {
        if status == .notFound { return 0 }
        guard status == .ok else { throw .broken("load of a counter: answered \(status.told)") }
        return record.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            .reduce(0) { $0 &* 10 &+ UInt64($1 - UInt8(ascii: "0")) }
    }
}

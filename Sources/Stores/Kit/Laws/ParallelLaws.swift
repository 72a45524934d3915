internal import SKANCore

/// Laws of many threads at once, on one shared handle and on one handle each, with single calls and with batches.
extension Law {
    static let ofThreads = [
        Law("parallel writers on one handle lose nothing") { run, store throws(LawEnd) in
            try run.countTogether(store, 1) { _ in store }
        },
        Law("parallel writers on a handle each lose nothing") { run, store throws(LawEnd) in
            let handles = try run.handles()
            try run.countTogether(store, 1) { index in handles[index] }
        },
        Law("of parallel inserts exactly one wins") { run, store throws(LawEnd) in
            try run.oneWins(store, 1, isThere: { _ in false }) { _ in .save }
        },
        Law("of parallel saves exactly one wins") { run, store throws(LawEnd) in
            try run.oneWins(store, 1) { _ in .save }
        },
        Law("of parallel removes exactly one wins") { run, store throws(LawEnd) in
            try run.oneWins(store, 1) { _ in .remove }
        },
        Law("of parallel saves and removes exactly one wins") { run, store throws(LawEnd) in
            try run.oneWins(store, 1) { index in index % 2 == 1 ? .remove : .save }
        },
        Law("a load gives bytes and version of one save") { run, store throws(LawEnd) in
            try run.readWhileWriting(store, 1)
        },
        Law("parallel work on different keys does not mix") { run, store throws(LawEnd) in
            try run.workApart(store, 1)
        },
    ]

    /// Laws of batches, most of which overlap. A store that takes locks in the order of the items deadlocks here, and
    /// then answers neither OK nor a conflict.
    static let ofParallelBatches = [
        Law("parallel batches on overlapping keys lose nothing", of: .saveMany) { run, store throws(LawEnd) in
            try run.countTogether(store, 12) { _ in store.by(batches) }
        },
        Law("parallel batches and single saves lose nothing", of: .saveMany) { run, store throws(LawEnd) in
            try run.countTogether(store, 12) { index in store.by(index % 2 == 0 ? .loadMany : batches) }
        },
        Law("parallel batches on a handle each lose nothing", of: .saveMany) { run, store throws(LawEnd) in
            let handles = try run.handles()
            try run.countTogether(store, 12) { index in handles[index].by(index % 2 == 0 ? .loadMany : batches) }
        },
        // All threads expect the same versions of the same keys: exactly one thread must win each key.
        Law("of parallel batches exactly one wins each key", of: .saveMany) { run, store throws(LawEnd) in
            try run.oneWins(store, 12, isThere: { round in round % 2 == 1 }) { _ in .save }
        },
        Law("parallel batches of different keys do not mix", of: batches) { run, store throws(LawEnd) in
            try run.workApart(store, 12)
        },
        Law("load_many gives bytes and version of one save", of: .loadMany) { run, store throws(LawEnd) in
            try run.readWhileWriting(store, 12)
        },
    ]

    private static var batches: OptionalCalls { [.loadMany, .saveMany] }
}

extension LawRun {
    /// All threads change the same keys and expect the same versions, each thread in its own order. For each key
    /// exactly one thread must be answered OK, the others must conflict, and the winner's record must be stored.
    ///
    /// - Parameter isThere: Whether the keys have records before a round.
    fileprivate func oneWins(
        _ store: Handle, _ count: Int, isThere: (_ round: Int) -> Bool = { _ in true },
        _ change: @escaping @Sendable (_ thread: Int) -> Change
    ) throws(LawEnd) {
        var shelf = try shelf(count)
        var drawings = (0..<threads).map { Drawing(seed: settings.seed &+ UInt64($0)) }
        for round in 0..<rounds {
            if isThere(round) { try shelf.save(store) { _ in "the record before" } } else { try shelf.remove(store) }
            let (places, orders) = (shelf.places, drawings.indices.map { drawings[$0].order(count) })
            let answers = try inThreads { index throws(LawEnd) in
                let answers = try store.changes(change(index), orders[index].map { places[$0] }, by: index)
                return zip(orders[index], answers).sorted { $0.0 < $1.0 }.map { $0.1 }
            }
            for place in places.indices {
                let winner = try winner(of: answers.map { $0[place] })
                try shelf.note(place, "the record of thread \(winner)", answers[winner][place].version)
            }
            try shelf.look(store)
        }
    }

    private func winner(of answers: [Written]) throws(LawEnd) -> Int {
        var winner: Int?
        for (index, answer) in answers.enumerated() where answer.status == .ok {
            if let winner { throw .broken("threads \(winner) and \(index) were both answered SKAN_OK for a key") }
            winner = index
        }
        guard let winner else { throw .broken("no thread was answered SKAN_OK for a key") }
        return winner
    }
}

extension Handle {
    /// Makes a thread's changes and returns their results. Expects each result to be OK or a conflict.
    fileprivate func changes(_ change: Change, _ places: [Shelf.Place], by thread: Int) throws(LawEnd) -> [Written] {
        if change == .save {
            return try save(
                places.map { Save(key: $0.key, record: "the record of thread \(thread)", expected: $0.version) }
            ).arePlain()
        }
        return try places.map { place throws(LawEnd) in
            let status = remove(place.key, over: place.version)
            if status != .ok && status != .storeConflict { throw .broken("remove: answered \(status.told)") }
            return Written(status, version: 0)
        }
    }
}

extension LawRun {
    /// Each thread uses `count` keys that no other thread uses. Each thread must get the same results as if it were
    /// alone in the store.
    fileprivate func workApart(_ store: Handle, _ count: Int) throws(LawEnd) {
        var shelves: [Shelf] = []
        for thread in 0..<threads { shelves.append(Shelf(try keys(count) { "key \($0) of thread \(thread)" })) }
        let (own, rounds) = (shelves, self.rounds)
        _ = try inThreads { index throws(LawEnd) in
            var shelf = own[index]
            for round in 0..<rounds {
                try shelf.look(store)
                for _ in 0..<2 { try shelf.save(store) { "record \($0) of thread \(index)" } }
                try shelf.look(store)
                try shelf.remove(store, [round % count])
            }
        }
    }
}

internal import SKANCore

/// Laws of compare-and-set: a save or remove that expects another version than the stored one changes nothing.
extension Law {
    static let ofConflicts = [
        Law("a second insert conflicts") { run, store throws(LawEnd) in
            var shelf = try run.shelf(1)
            for _ in 0..<3 { try shelf.save(store, [(0, "the record", expected: 0)]) }
        },
        Law("an insert over a record conflicts and changes nothing") { run, store throws(LawEnd) in
            var shelf = try run.shelf(1)
            for record in ["the first record", "the second record"] as [RecordBytes] {
                try shelf.save(store) { _ in record }
                try shelf.refuses(.save, 0, over: 0, store)
            }
        },
        Law("a stale save conflicts and changes nothing") { run, store throws(LawEnd) in
            try run.refusesStale(.save, store)
        },
        Law("a save of a missing record conflicts and inserts nothing") { run, store throws(LawEnd) in
            try run.refusesMissing(.save, store)
        },
        Law("a save with a version never given conflicts and changes nothing") { run, store throws(LawEnd) in
            try run.refusesStrange(.save, store)
        },
        Law("a remove takes the record away") { run, store throws(LawEnd) in
            var shelf = try run.shelf(1)
            for round in 0..<8 {
                for save in 0...round % 2 { try shelf.save(store) { _ in "the record of save \(save)" } }
                try shelf.remove(store)
                try shelf.look(store)
            }
        },
        Law("a stale remove conflicts and changes nothing") { run, store throws(LawEnd) in
            try run.refusesStale(.remove, store)
        },
        Law("a remove of a missing record conflicts") { run, store throws(LawEnd) in
            try run.refusesMissing(.remove, store)
        },
        Law("a remove with a version never given conflicts and changes nothing") { run, store throws(LawEnd) in
            try run.refusesStrange(.remove, store)
        },
        Law("the version of another key conflicts and changes nothing") { run, store throws(LawEnd) in
            var shelf = try run.shelf(2)
            for place in [0, 1, 1] { try shelf.save(store, [place]) { "the record at place \($0)" } }
            var versions: [UInt64] { shelf.places.map { $0.version } }
            if versions[0] == versions[1] { try shelf.save(store, [0]) { _ in "the next record" } }
            if versions[0] == versions[1] { return }  // two counters that stay equal
            try shelf.refuses(.save, 0, over: versions[1], store)
            try shelf.refuses(.remove, 1, over: versions[0], store)
            try shelf.look(store)
        },
        // A late call: it expects a version from before the record was removed and inserted again.
        Law("a version from before a remove conflicts and changes nothing") { run, store throws(LawEnd) in
            var shelf = try run.shelf(1)
            for save in 0..<2 { try shelf.save(store) { _ in "the record of save \(save)" } }
            let before = shelf.places[0].given.numbers
            try shelf.remove(store)
            try shelf.save(store) { _ in "the record of save 0" }
            for late in before { try shelf.refuses(.save, 0, over: late, store) }
            for late in before { try shelf.refuses(.remove, 0, over: late, store) }
        },
    ]
}

enum Change { case save, remove }

extension Shelf {
    /// Makes a call that expects another version than the stored one. It must conflict and change nothing.
    fileprivate mutating func refuses(
        _ change: Change, _ place: Int, over version: UInt64, _ store: Handle
    ) throws(LawEnd) {
        switch change {
        case .save: try save(store, [(place, "a record that must not get in", expected: version)])
        case .remove: try remove(store, place, over: version)
        }
        try look(store, [place])
    }
}

extension LawRun {
    /// For each version that was replaced, makes a call that expects it. Each call must conflict.
    fileprivate func refusesStale(_ change: Change, _ store: Handle) throws(LawEnd) {
        var shelf = try shelf(1)
        for round in 0..<5 {
            let replaced = shelf.places[0].given.numbers
            try shelf.save(store) { _ in round % 2 == 1 ? "the second record" : "the first record" }
            for version in replaced { try shelf.refuses(change, 0, over: version, store) }
        }
    }

    /// For each of several versions near the stored one, makes a call that expects it. Each call must conflict.
    fileprivate func refusesStrange(_ change: Change, _ store: Handle) throws(LawEnd) {
        var shelf = try shelf(1)
        try shelf.save(store) { _ in "the record" }
        for version in strangeVersions(near: shelf.places[0].version) {
            try shelf.refuses(change, 0, over: version, store)
        }
    }

    /// Makes calls on places without a record, with the version of another place or of a removed record. Each call must
    /// conflict.
    fileprivate func refusesMissing(_ change: Change, _ store: Handle) throws(LawEnd) {
        var shelf = try shelf(2)
        try shelf.refuses(change, 0, over: 1, store)
        try shelf.save(store, [1]) { _ in "the record" }
        let version = shelf.places[1].version
        try shelf.refuses(change, 0, over: version, store)
        try shelf.remove(store, [1])
        try shelf.refuses(change, 1, over: version, store)
    }
}

/// Versions that a store confuses with `version` if it compares numbers wrongly. None of them is `version` or 0.
func strangeVersions(near version: UInt64) -> [UInt64] {
    let next = version &+ 2 == 0 ? 1 : version &+ 2
    let numbers: [UInt64] = [
        version &+ 1,  // not given yet
        version &- 1,
        version &+ 1000,
        version ^ 1 << 32,  // equal in 32 bits
        version ^ 1 << 31,  // equal in 31 bits
        version ^ 1 << 16,  // equal in 16 bits
        version ^ 1 << 53,  // equal in the 53 bits that a JSON number keeps
        version ^ 1 << 62,  // equal in 62 bits
        version ^ 1 << 63,  // equal but for the sign
        1 << 63 | 1,  // negative, to a store of signed numbers
        .max,  // -1
        .max - 1,
    ]
    return numbers.map { $0 == version || $0 == 0 ? next : $0 }
}

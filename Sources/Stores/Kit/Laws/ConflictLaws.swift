internal import SKANCore

/// Laws of compare-and-set: a save or remove with another version than the stored one changes nothing.
extension Law {
    private static var first: RecordBytes { "the first record" }
    private static var second: RecordBytes { "the second record" }
    private static var other: RecordBytes { "a record that must not get in" }

    static let ofConflicts = [
        Law("a second insert conflicts") { run, store throws(LawEnd) in
            let key = try run.key("key")
            try store.saves(key, first)
            for _ in 0..<2 { try store.saveConflicts(key, first, over: 0) }
        },
        Law("an insert over a record conflicts and changes nothing") { run, store throws(LawEnd) in
            let key = try run.key("key")
            var version: UInt64 = 0
            for record in [first, second] {
                version = try store.saves(key, record, over: version)
                try store.saveConflicts(key, other, over: 0)
                try store.holds(key, record, version)
            }
        },
        Law("a stale save conflicts and changes nothing") { run, store throws(LawEnd) in
            try store.refusesStale(.save, run.key("key"))
        },
        Law("a save of a missing record conflicts and inserts nothing") { run, store throws(LawEnd) in
            try run.refusesMissing(.save, store)
        },
        Law("a save with a version never given conflicts and changes nothing") { run, store throws(LawEnd) in
            try store.refusesStrange(.save, run.key("key"))
        },
        Law("a remove takes the record away") { run, store throws(LawEnd) in
            let key = try run.key("key")
            for round in 0..<8 {
                var version = try store.saves(key, first)
                if round % 2 == 1 { version = try store.saves(key, second, over: version) }
                try store.removes(key, over: version)
                try store.holdsNothing(key)
            }
        },
        Law("a stale remove conflicts and changes nothing") { run, store throws(LawEnd) in
            try store.refusesStale(.remove, run.key("key"))
        },
        Law("a remove of a missing record conflicts") { run, store throws(LawEnd) in
            try run.refusesMissing(.remove, store)
        },
        Law("a remove with a version never given conflicts and changes nothing") { run, store throws(LawEnd) in
            try store.refusesStrange(.remove, run.key("key"))
        },
        Law("the version of another key conflicts and changes nothing") { run, store throws(LawEnd) in
            let (one, two) = (try run.key("one"), try run.key("two"))
            var version = try store.saves(one, first)
            let others = try store.saves(two, second, over: store.saves(two, first))
            if version == others { version = try store.saves(one, first, over: version) }
            if version == others { return }  // two counters that go along
            try store.saveConflicts(one, other, over: others)
            try store.removeConflicts(two, over: version)
            try store.holds(one, first, version)
            try store.holds(two, second, others)
        },
        // A late call, decided on a record that was removed and inserted again since.
        Law("a version from before a remove conflicts and changes nothing") { run, store throws(LawEnd) in
            let key = try run.key("key")
            let before = try store.saves(key, first)
            let last = try store.saves(key, second, over: before)
            try store.removes(key, over: last)
            let version = try store.saves(key, first)
            for late in [before, last] { try store.saveConflicts(key, other, over: late) }
            for late in [before, last] { try store.removeConflicts(key, over: late) }
            try store.holds(key, first, version)
        },
    ]
}

/// A call that changes what a key holds.
enum Change { case save, remove }

extension Handle {
    private func conflicts(_ change: Change, _ key: Key, over version: UInt64) throws(LawEnd) {
        switch change {
        case .save: try saveConflicts(key, "a record that must not get in", over: version)
        case .remove: try removeConflicts(key, over: version)
        }
    }

    /// Tries each version that was replaced.
    fileprivate func refusesStale(_ change: Change, _ key: Key) throws(LawEnd) {
        var versions: [UInt64] = []
        for round in 0..<5 {
            let record: RecordBytes = round % 2 == 1 ? "the second record" : "the first record"
            let version = try saves(key, record, over: versions.last ?? 0)
            for stale in versions {
                try conflicts(change, key, over: stale)
                try holds(key, record, version)
            }
            versions.append(version)
        }
    }

    /// Tries versions near the stored one.
    fileprivate func refusesStrange(_ change: Change, _ key: Key) throws(LawEnd) {
        let version = try saves(key, "the first record")
        for strange in strangeVersions(near: version) {
            try conflicts(change, key, over: strange)
            try holds(key, "the first record", version)
        }
    }

    fileprivate func refusesMissing(_ change: Change, _ key: Key, over version: UInt64) throws(LawEnd) {
        try conflicts(change, key, over: version)
        try holdsNothing(key)
    }
}

extension LawRun {
    /// Tries keys without a record, with versions of other keys and of before.
    fileprivate func refusesMissing(_ change: Change, _ store: Handle) throws(LawEnd) {
        let (never, removed) = (try key("never there"), try key("removed"))
        try store.refusesMissing(change, never, over: 1)
        let version = try store.saves(removed, "the first record")
        try store.refusesMissing(change, never, over: version)
        try store.removes(removed, over: version)
        try store.refusesMissing(change, removed, over: version)
    }
}

/// Versions that a store takes for this one if it compares numbers wrongly; none is the version itself, nor 0.
func strangeVersions(near version: UInt64) -> [UInt64] {
    let next = version &+ 2 == 0 ? 1 : version &+ 2
    let numbers: [UInt64] = [
        version &+ 1,  // not before
        version &- 1,
        version &+ 1000,
        version ^ 1 << 32,  // equal in 32 bits
        version ^ 1 << 31,  // in 31
        version ^ 1 << 16,  // in 16
        version ^ 1 << 53,  // as JSON keeps numbers, or nearly
        version ^ 1 << 62,  // in 62
        version ^ 1 << 63,  // but for the sign
        1 << 63 | 1,  // below 0, to a store of signed numbers
        .max,  // -1
        .max - 1,
    ]
    return numbers.map { $0 == version || $0 == 0 ? next : $0 }
}

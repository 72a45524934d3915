/// Laws of several handles on the same records, at once and one after the other.
extension Law {
    static let ofHandles = [
        Law("two handles see each other's writes") { run, own throws(LawEnd) in
            let key = try run.key("key")
            let second = try run.second()
            defer { second.close() }
            for round in 0..<8 {
                let (one, other) = round % 2 == 0 ? (own, second) : (second, own)
                try one.holdsNothing(key)
                try other.holdsNothing(key)
                var version = try one.saves(key, "inserted")
                try other.holds(key, "inserted", version)
                for _ in 0..<2 {
                    version = try other.saves(key, "changed", over: version)
                    try one.holds(key, "changed", version)
                }
                try one.removes(key, over: version)
                try other.holdsNothing(key)
            }
        },
        Law("a version that is stale through another handle conflicts") { run, own throws(LawEnd) in
            let key = try run.key("key")
            let second = try run.second()
            defer { second.close() }
            for (one, other) in [(own, second), (second, own)] {
                let first = try one.saves(key, "the first")
                try other.holds(key, "the first", first)
                try other.saveConflicts(key, "must not get in", over: 0)
                let next = try other.saves(key, "the second", over: first)
                try one.saveConflicts(key, "must not get in", over: first)
                try one.removeConflicts(key, over: first)
                try one.holds(key, "the second", next)
                try other.holds(key, "the second", next)
                try one.removes(key, over: next)
                try other.saveConflicts(key, "must not get in", over: next)
                try other.removeConflicts(key, over: next)
                try other.holdsNothing(key)
            }
        },
        Law("no version comes twice for a key through two handles") { run, own throws(LawEnd) in
            let key = try run.key("key")
            let second = try run.second()
            defer { second.close() }
            let third = try run.open()
            defer { third.close() }
            var versions = GivenVersions()
            var drawing = run.drawing
            var version: UInt64 = 0
            for _ in 0..<2 * run.rounds {
                let handle = [own, second, third][drawing.below(3)]
                if version != 0 && drawing.isOne(of: 3) {
                    try handle.removes(key, over: version)
                    version = 0
                } else {
                    version = try handle.saves(key, "a record", over: version)
                    versions.add(version)
                }
            }
            try versions.expectNoRepetition()
        },
        Law("closing a handle leaves the others at work") { run, own throws(LawEnd) in
            let key = try run.key("key")
            let version = try saved(key, "a record", by: run.second())
            try own.holds(key, "a record", version)
            let next = try own.saves(key, "the next", over: version)
            let second = try run.second()
            defer { second.close() }
            try second.holds(key, "the next", next)
        },
        Law("reopening keeps records and their versions") { run, store throws(LawEnd) in
            let (one, two, gone) = (try run.key("one"), try run.key("two"), try run.key("removed"))
            try run.isDurable()
            let first = try store.saves(one, "inserted")
            let second = try store.saves(two, "changed", over: store.saves(two, "inserted"))
            try store.removes(gone, over: store.saves(gone, "removed"))
            var store = store
            for _ in 0..<2 {
                store = try run.reopen()
                try store.holds(one, "inserted", first)
                try store.holds(two, "changed", second)
                try store.holdsNothing(gone)
            }
            try store.saveConflicts(one, "must not get in", over: 0)
            try store.saves(one, "saved with the version from before", over: first)
            try store.removes(two, over: second)
        },
        Law("no version comes twice for a key across reopening") { run, store throws(LawEnd) in
            let key = try run.key("key")
            try run.isDurable()
            var store = store
            var versions = GivenVersions()
            var version: UInt64 = 0
            for round in 0..<8 {
                for _ in 0..<3 {
                    version = try store.saves(key, "a record", over: version)
                    versions.add(version)
                }
                if round % 2 == 0 {  // the newest version is a removed record's
                    try store.removes(key, over: version)
                    version = 0
                }
                store = try run.reopen()
            }
            try versions.expectNoRepetition()
        },
    ]

    /// The version that a handle gave before it was closed.
    private static func saved(_ key: Key, _ record: RecordBytes, by handle: Handle) throws(LawEnd) -> UInt64 {
        defer { handle.close() }
        return try handle.saves(key, record)
    }
}

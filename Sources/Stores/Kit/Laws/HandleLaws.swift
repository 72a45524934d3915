internal import SKANCore

/// Laws of several handles on the same records, at once and one after the other.
extension Law {
    static let ofHandles = [
        Law("two handles see each other's writes") { run, own throws(LawEnd) in
            let second = try run.another()
            try run.seeEachOther(own, second, 1)
        },
        Law("a version that is stale through another handle conflicts") { run, own throws(LawEnd) in
            let key = try run.key("key")
            let second = try run.another()
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
            let second = try run.another()
            let third = try run.another()
            var shelf = try run.shelf(1)
            var drawing = run.drawing
            for _ in 0..<2 * run.rounds {
                let handle = [own, second, third][drawing.below(3)]
                if shelf.places[0].version != 0 && drawing.isOne(of: 3) {
                    try shelf.remove(handle)
                } else {
                    try shelf.save(handle) { _ in "a record" }
                }
            }
        },
        Law("closing a handle leaves the others at work") { run, own throws(LawEnd) in
            let key = try run.key("key")
            let version = try run.another().saves(key, "a record")
            run.closeOthers()
            try own.holds(key, "a record", version)
            let next = try own.saves(key, "the next", over: version)
            try run.another().holds(key, "the next", next)
        },
        Law("reopening keeps records and their versions") { run, store throws(LawEnd) in
            var shelf = try run.shelf(3)
            try run.isDurable()
            try shelf.save(store) { "record \($0), inserted" }
            try shelf.save(store, [1]) { "record \($0), changed" }
            try shelf.remove(store, [2])
            var store = store
            for _ in 0..<2 {
                store = try run.reopen()
                try shelf.look(store)
            }
            try shelf.save(store, [(0, "must not get in", expected: 0)])
            try shelf.save(store, [0]) { _ in "saved with the version from before" }
            try shelf.remove(store, [1])
        },
        Law("no version comes twice for a key across reopening") { run, store throws(LawEnd) in
            var shelf = try run.shelf(1)
            try run.isDurable()
            var store = store
            for round in 0..<8 {
                for _ in 0..<3 { try shelf.save(store) { _ in "a record" } }
                if round % 2 == 0 { try shelf.remove(store) }  // the newest version is a removed record's
                store = try run.reopen()
            }
        },
    ]
}

extension LawRun {
    /// What one handle does to so many keys, the other finds; or the same one.
    func seeEachOther(_ own: Handle, _ second: Handle, _ count: Int) throws(LawEnd) {
        var shelf = try shelf(count)
        for round in 0..<8 {
            let (one, other) = round % 2 == 0 ? (own, second) : (second, own)
            try shelf.look(one)
            try shelf.look(other)
            try shelf.save(one) { "record \($0), inserted in round \(round)" }
            try shelf.look(other)
            for _ in 0..<2 {
                try shelf.save(other) { "record \($0), changed in round \(round)" }
                try shelf.look(one)
            }
            try shelf.remove(one)
            try shelf.look(other)
        }
    }
}

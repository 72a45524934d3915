internal import SKANCore

/// Laws of several handles to the same records, used one after the other or at the same time.
extension Law {
    static let ofHandles = [
        Law("two handles see each other's writes") { run, own throws(LawEnd) in
            let second = try run.another()
            try run.seeEachOther(own, second, 1)
        },
        Law("a version that is stale through another handle conflicts") { run, own throws(LawEnd) in
            let second = try run.another()
            var shelf = try run.shelf(1)
            for (one, other) in [(own, second), (second, own)] {
                try shelf.save(one) { _ in "the first" }
                try shelf.look(other)
                let first = shelf.places[0].version
                try shelf.save(other, [(0, "must not get in", expected: 0)])
                try shelf.save(other) { _ in "the second" }
                let next = shelf.places[0].version
                try shelf.save(one, [(0, "must not get in", expected: first)])
                try shelf.remove(one, 0, over: first)
                for handle in [one, other] { try shelf.look(handle) }
                try shelf.remove(one)
                try shelf.save(other, [(0, "must not get in", expected: next)])
                try shelf.remove(other, 0, over: next)
                try shelf.look(other)
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
            var shelf = try run.shelf(1)
            try shelf.save(run.another()) { _ in "a record" }
            run.closeOthers()
            try shelf.look(own)
            try shelf.save(own) { _ in "the next" }
            try shelf.look(run.another())
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
                if round % 2 == 0 { try shelf.remove(store) }  // then a removed record had the newest version
                store = try run.reopen()
            }
        },
    ]
}

extension LawRun {
    /// Changes `count` keys through each handle in turn. The other handle must see every change. `own` and `second` may
    /// be the same handle.
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

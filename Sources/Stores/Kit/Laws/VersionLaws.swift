internal import SKANCore

/// Laws of versions: every save gives a new version, and no version is given twice for a key.
extension Law {
    static let ofVersions = [
        Law("a version is never 0") { run, store throws(LawEnd) in
            var shelf = try run.shelf(1)
            for _ in 0..<run.rounds {
                for record in ["a record", "the next"] as [RecordBytes] {
                    try shelf.save(store) { _ in record }
                    try shelf.look(store)
                }
                try shelf.remove(store)
            }
        },
        Law("load gives the version that save gave") { run, store throws(LawEnd) in
            var shelf = try run.shelf(2)
            for round in 0..<2 * run.rounds {
                try shelf.save(store, [round % 2]) { _ in "a record" }
                try shelf.look(store)
            }
        },
        Law("every save changes the version") { run, store throws(LawEnd) in
            try run.changesVersions(store, ["a record", "b record"])
        },
        Law("a save of equal bytes changes the version") { run, store throws(LawEnd) in
            try run.changesVersions(store, ["a record"])
        },
        Law("no version comes twice for a key") { run, store throws(LawEnd) in
            let records: [RecordBytes] = ["a", "b", "a", "c", "c"]
            var shelf = try run.shelf(1)
            for round in 0..<4 * run.rounds { try shelf.save(store) { _ in records[round % 5] } }
        },
        // Without this law, a store could use as version a counter that starts again with each new record, the time in
        // seconds, or a hash of the bytes.
        Law("no version comes twice for a key across removes") { run, store throws(LawEnd) in
            var shelf = try run.shelf(2)
            var drawing = run.drawing
            for _ in 0..<run.rounds {
                for _ in 0...drawing.below(4) { try shelf.save(store, [0]) { _ in "a record" } }
                if drawing.isOne(of: 4) { try shelf.save(store, [1]) { _ in "a record" } }
                try shelf.remove(store)
            }
        },
    ]
}

extension LawRun {
    fileprivate func changesVersions(_ store: Handle, _ records: [RecordBytes]) throws(LawEnd) {
        var shelf = try shelf(1)
        for round in 0..<rounds {
            let (record, before) = (records[round % records.count], shelf.places[0].version)
            try shelf.save(store) { _ in record }
            try shelf.look(store)
            if before != 0 { try shelf.save(store, [(0, record, expected: before)]) }
        }
    }
}

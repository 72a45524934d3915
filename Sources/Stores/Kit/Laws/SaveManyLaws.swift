internal import SKANCore

/// Laws of save_many: each item must get the result of a single save, independent of the others. Records are loaded one
/// by one.
extension Law {
    static let ofSaveMany = [
        Law("save_many saves as save does, 1 to 1024 records", of: .saveMany) { run, store throws(LawEnd) in
            for count in [1, 2, 3, 7, 100, Limits.batchItems] {
                var shelf = try run.shelf(count)
                for round in 0..<3 {
                    // Every second record is updated, the others are inserted again.
                    if round > 0 { try shelf.remove(store, [Int](stride(from: 1, to: count, by: 2))) }
                    try shelf.save(store) { "the record at place \($0), round \(round)" }
                    try shelf.look(store)
                }
            }
        },
        Law("save_many goes on where single calls left off", of: .saveMany) { run, store throws(LawEnd) in
            var shelf = try run.shelf(3)
            for round in 0..<run.rounds {
                let single = [round % 3]
                if round % 5 == 4 { try shelf.remove(store, single) }
                try shelf.save(store.singly, single) { _ in "the record before" }
                try shelf.save(store) { _ in "a record" }
                try shelf.look(store, single)
            }
        },
        Law("an item of save_many conflicts alone and changes nothing", of: .saveMany) { run, store throws(LawEnd) in
            for way in SaveWay.conflicting {
                try run.save(store, [way])
                for place in 0..<5 {  // one among others, in each place
                    try run.save(store, (0..<5).map { $0 == place ? way : $0 % 2 == 1 ? .create : .update })
                }
                try run.save(store, [SaveWay](repeating: way, count: 5))
            }
            var drawing = run.drawing
            for _ in 0..<10 {
                try run.save(store, (0..<64).map { _ in SaveWay.all[drawing.below(SaveWay.all.count)] })
            }
        },
        Law("no version comes twice for a key through save_many", of: .saveMany) { run, store throws(LawEnd) in
            var shelf = try run.shelf(5)
            var drawing = run.drawing
            for _ in 0..<run.rounds {
                try shelf.remove(store, shelf.places.indices.filter { _ in drawing.isOne(of: 4) })
                try shelf.save(store) { _ in "a record" }
                let single = shelf.places.indices.filter { _ in drawing.isOne(of: 4) }
                try shelf.save(store.singly, single) { _ in "a record" }
            }
        },
        // The same saves in another order must get the same results, item by item.
        Law("save_many takes items in any order", of: .saveMany) { run, store throws(LawEnd) in
            let ways = (0..<24).map { SaveWay.all[$0 * 5 % SaveWay.all.count] }
            var order = [Int](ways.indices.reversed())
            var drawing = run.drawing
            for _ in 0..<12 {
                try run.save(store, ways, in: order)
                order = drawing.order(order.count)
            }
        },
        Law("save_many keeps 1024 records of 32768 bytes", of: .saveMany) { run, store throws(LawEnd) in
            var drawing = run.drawing
            try run.keeps(store, (0..<Limits.batchItems).map { _ in RecordBytes(drawing.bytes(Limits.recordBytes)) })
        },
        Law("save_many keeps any bytes", of: .saveMany) { run, store throws(LawEnd) in
            try run.keeps(
                store,
                (0..<256).map { first in
                    // Some records have only 1 byte.
                    RecordBytes((0..<1 + first % 7 * 40).map { UInt8(truncatingIfNeeded: first + $0) })
                })
        },
        Law("save_many tells keys apart", of: .saveMany) { run, store throws(LawEnd) in
            try store.tellsApart(run.oddKeys())
        },
        Law("save_many copies keys and records", of: .saveMany) { run, store throws(LawEnd) in
            try store.copies([run.key("one"), run.key("two")], "a lent record") { loan in
                loan.spoilKey()
                loan.spoilRecord()
            }
        },
        Law("save_many leaves its items in place", of: .saveMany) { run, store throws(LawEnd) in
            var shelf = try run.unsortedShelf()
            try shelf.save(store, shelf.places.indices.map { ($0, "the record at place \($0)", UInt64($0 % 2)) })
        },
        Law("load_many sees what save_many saved", of: [.loadMany, .saveMany]) { run, store throws(LawEnd) in
            try run.seeEachOther(store, store, 10)
        },
        Law(
            "load_many and save_many of two handles see each other", of: [.loadMany, .saveMany]
        ) { run, store throws(LawEnd) in
            let second = try run.another()
            try run.seeEachOther(store, second.by(store.calls), 10)
        },
        Law("reopening keeps what save_many saved", of: .saveMany) { run, store throws(LawEnd) in
            try run.isDurable()
            try run.save(store, (0..<40).map { SaveWay.all[$0 % SaveWay.all.count] }, isReopened: true)
        },
    ]
}

extension LawRun {
    /// Saves one item for each way in `ways`, in one call. Items that conflict must change nothing; the others must be
    /// stored.
    fileprivate func save(
        _ store: Handle, _ ways: [SaveWay], in order: [Int]? = nil, isReopened: Bool = false
    ) throws(LawEnd) {
        var shelf = try shelf(ways.count)
        var attempts: [Shelf.Attempt] = []
        for place in order ?? [Int](ways.indices) {
            let expected = try shelf.prepare(place, ways[place], store.singly)
            attempts.append((place, "the record at place \(place)", expected))
        }
        try shelf.save(store, attempts)
        try shelf.look(isReopened ? reopen() : store)
    }
}

/// The kind of a save, by the version that it expects and by what is stored under its key. The kind decides whether the
/// save succeeds or conflicts.
private enum SaveWay {
    case create, update
    case stale, insertOver, updateOfNothing, updateOfRemoved, neverGiven

    static var all: [SaveWay] { [.create, .update] + conflicting }
    static var conflicting: [SaveWay] { [.stale, .insertOver, .updateOfNothing, .updateOfRemoved, .neverGiven] }
}

extension Shelf {
    /// Prepares an empty place for a save of this kind, and returns the version that the save must expect.
    fileprivate mutating func prepare(_ place: Int, _ way: SaveWay, _ store: Handle) throws(LawEnd) -> UInt64 {
        if way == .create { return 0 }
        if way == .updateOfNothing { return UInt64(place) + 1 }
        try save(store, [place]) { _ in "the record before" }
        let version = places[place].version
        switch way {
        case .stale: try save(store, [place]) { _ in "the record before" }
        case .insertOver: return 0
        case .updateOfRemoved: try remove(store, [place])
        case .neverGiven: return strangeVersions(near: version)[place % 12]
        default: break
        }
        return version
    }
}

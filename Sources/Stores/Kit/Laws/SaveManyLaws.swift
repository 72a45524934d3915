internal import SKANCore

/// Laws of many saves in one call: each item is answered as a save would be, whatever becomes of the others.
extension Law {
    static let ofSaveMany = [
        Law("save_many saves as save does, 1 to 1024 records", of: .saveMany) { run, store throws(LawEnd) in
            for count in [1, 2, 3, 7, 100, Limits.batchItems] { try run.savesAndLooks(store, count) }
        },
        Law("save_many goes on where single calls left off", of: .saveMany) { run, store throws(LawEnd) in
            let keys = try run.places(3)
            var versions: [UInt64] = [0, 0, 0]
            for round in 0..<run.rounds {
                let single = round % 3
                if versions[single] != 0 && round % 5 == 4 {
                    try store.removes(keys[single], over: versions[single])
                    versions[single] = 0
                }
                versions[single] = try store.saves(keys[single], SaveWay.before, over: versions[single])
                versions = try store.savesMany(keys, versions) { _ in "a record" }
                try store.holds(keys[single], "a record", versions[single])
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
            let keys = try run.places(5)
            var given = [GivenVersions](repeating: GivenVersions(), count: 5)
            var versions = [UInt64](repeating: 0, count: 5)
            var drawing = run.drawing
            for _ in 0..<run.rounds {
                for index in keys.indices where versions[index] != 0 && drawing.isOne(of: 4) {
                    try store.removes(keys[index], over: versions[index])
                    versions[index] = 0
                }
                versions = try store.savesMany(keys, versions) { _ in "a record" }
                for index in keys.indices {
                    given[index].add(versions[index])
                    guard drawing.isOne(of: 4) else { continue }
                    versions[index] = try store.saves(keys[index], "a record", over: versions[index])
                    given[index].add(versions[index])
                }
            }
            for given in given { try given.expectNoRepetition() }
        },
        // The same saves in another order are answered alike, item by item.
        Law("save_many takes items in any order", of: .saveMany) { run, store throws(LawEnd) in
            let keys = try run.places(24)
            let ways = keys.indices.map { SaveWay.all[$0 * 5 % SaveWay.all.count] }
            var order = [Int](keys.indices.reversed())
            var drawing = run.drawing
            for _ in 0..<12 {
                var saves: [Save] = []
                for (index, place) in order.enumerated() {
                    let prepared = try store.prepare(keys[place], ways[place], index)
                    saves.append(Save(key: keys[place], record: SaveWay.other, expected: prepared.expected))
                }
                let saved = store.saveMany(saves)
                for (index, place) in order.enumerated() {
                    if ways[place].isSaved {
                        try store.holds(keys[place], SaveWay.other, saved.version(at: index))
                    } else {
                        try saved.conflicts(at: index)
                    }
                }
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
                    // Of 1 byte among others.
                    RecordBytes((0..<1 + first % 7 * 40).map { UInt8(truncatingIfNeeded: first + $0) })
                })
        },
        Law("save_many tells keys apart", of: .saveMany) { run, store throws(LawEnd) in
            let keys = try run.oddKeys()
            let half = keys.count / 2
            var versions = [UInt64](repeating: 0, count: keys.count)
            var records = [RecordBytes](repeating: "", count: keys.count)
            for (round, range) in [0..<half, half..<keys.count, 0..<keys.count].enumerated() {
                for index in range { records[index] = SaveWay.record(index, round) }
                let saved = try store.savesMany([Key](keys[range]), [UInt64](versions[range])) { index in
                    records[range.lowerBound + index]
                }
                versions.replaceSubrange(range, with: saved)
                for index in keys.indices { try store.holds(keys[index], asSaved: records[index], versions[index]) }
            }
        },
        // The memory of the call has other bytes afterwards, and is there until after the loads, so that a store that
        // kept it is found out, not crashed.
        Law("save_many copies keys and records", of: .saveMany) { run, store throws(LawEnd) in
            let saves = [
                Save(key: try run.key("one"), record: "a lent record"),
                Save(key: try run.key("two"), record: "a lent record"),
            ]
            let loans = saves.map { Loan($0.key, $0.record) }
            defer {
                for (save, loan) in zip(saves, loans) { loan.restore(save.key) }
                for save in saves { try? store.clear(save.key) }
                for loan in loans { loan.end() }
            }
            let answers = store.saveMany(saves, loans)
            for loan in loans {
                loan.spoilKey()
                loan.spoilRecord()
            }
            for (save, answer) in zip(saves, answers) { try store.holds(save.key, save.record, answer.version) }
        },
        Law("save_many leaves its items in place", of: .saveMany) { run, store throws(LawEnd) in
            let names: [Message] = ["m", "z", "a", "y", "b"]
            var saves: [Save] = []
            for (index, name) in names.enumerated() {
                saves.append(Save(key: try run.key(name), record: RecordBytes(name.utf8), expected: UInt64(index % 2)))
            }
            for (index, answer) in store.saveMany(saves).answers.enumerated() {
                if answer.isItemChanged {
                    throw .broken("save_many changed key, data, length or expected_version of item \(index)")
                }
                let wanted: Status = index % 2 == 1 ? .storeConflict : .ok
                if answer.status != wanted {
                    throw .broken(
                        "save_many, item \(index): expected \(wanted.name), came \(answer.status.told)")
                }
            }
        },
        Law("load_many sees what save_many saved", of: [.loadMany, .saveMany]) { run, store throws(LawEnd) in
            try run.batchesSeeEachOther(store, store)
        },
        Law(
            "load_many and save_many of two handles see each other", of: [.loadMany, .saveMany]
        ) { run, store throws(LawEnd) in
            let second = try run.second()
            defer { second.close() }
            try run.batchesSeeEachOther(store, second)
        },
        Law("reopening keeps what save_many saved", of: .saveMany) { run, store throws(LawEnd) in
            try run.isDurable()
            try run.save(store, (0..<40).map { SaveWay.all[$0 % SaveWay.all.count] }, isReopened: true)
        },
    ]
}

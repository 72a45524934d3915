import SKANCore

@testable import SKANStoreLaws

extension Mutant {
    static let ofLoadMany: [Mutant] = [
        .loadMany(
            "a missing key hides the next", breaks: "load_many answers as load does, for 1 to 1024 keys"
        ) { store, loads in
            var isMissing = false
            return loads.map { call in
                let loaded = isMissing ? Loaded(.notFound, version: 0, []) : store.load(call)
                isMissing = loaded.status == .notFound
                return loaded
            }
        },
        .loadMany("load_many has a cache", breaks: "load_many sees every change") { $1.map($0.loadThroughCache) },
        // Rows come in the order of keys, as the server likes it, and are taken for those of the items in turn.
        .loadMany(
            "loaded rows come in another order", breaks: "load_many takes keys in any order"
        ) { byKey($1).map($0.load) },
        // What is behind is lost.
        .loadMany(
            "an answer has at most a megabyte", breaks: "load_many gives 1024 records of 32768 bytes"
        ) { store, loads in
            var length = 0
            return loads.map { call in
                let loaded = store.load(call)
                length += loaded.record.count
                return length > 1 << 20 ? Loaded(.store, version: 0, []) : loaded
            }
        },
        .loadMany("load_many cuts at a NUL", breaks: "load_many gives any bytes") { store, loads in
            loads.map(store.load).map {
                Loaded($0.status, version: $0.version, [UInt8]($0.record.prefix { $0 != 0 }))
            }
        },
        // Keys as elements of a list in braces, where NULL is none.
        .loadMany("NULL is no key for load_many", breaks: "load_many tells keys apart") { store, loads in
            loads.map { call in
                call.key.suffix(4) == Array("NULL".utf8)[...]
                    ? Loaded(.notFound, version: 0, []) : store.load(call)
            }
        },
        .loadMany(
            "a buffer of the same length is not set by load_many", breaks: "load_many replaces what the buffers held"
        ) { $1.map($0.loadSparingTheBuffer) },
        .loadMany("load_many sorts its caller's items", breaks: "load_many leaves its items in place") { store, loads in
            zip(loads, byKey(loads)).map { call, sorted in
                let loaded = store.load(sorted)
                return Loaded(
                    loaded.status, version: loaded.version, loaded.record, isItemChanged: call.key != sorted.key)
            }
        },
    ]

    static let ofSaveMany: [Mutant] = [
        // Their status stays what it was before the call.
        .saveMany(
            "save_many forgets items after the 1000th", breaks: "save_many saves as save does, 1 to 1024 records"
        ) { store, saves in
            saves.prefix(1000).map(store.save)
                + saves.dropFirst(1000).map { _ in Written(.storeUnknown, version: 0) }
        },
        Mutant(
            "save_many does not know versions of single saves",
            breaks: "save_many goes on where single calls left off"
        ) {
            $0.save = { store, call in
                let saved = store.save(call, over: call.expected)
                if saved.status == .ok { store.shared.change { $0.number = saved.version } }
                return saved
            }
            $0.saveMany = { store, saves in
                saves.map { call in
                    call.expected != 0 && call.expected == store.shared.now.number
                        ? Written(.storeConflict, version: 0)
                        : store.save(call, over: call.expected)
                }
            }
        },
        .saveMany(
            "save_many saves all or nothing", breaks: "an item of save_many conflicts alone and changes nothing"
        ) { store, saves in
            saves.allSatisfy { store.right.version(of: $0.key) == $0.expected }
                ? saves.map(store.save) : saves.map { _ in Written(.storeConflict, version: 0) }
        },
        .saveMany(
            "save_many writes over what conflicts", breaks: "an item of save_many conflicts alone and changes nothing"
        ) { store, saves in
            saves.map { call in
                let saved = store.save(call)
                if saved.status == .storeConflict { _ = store.right.saveAnyway(call.key, call.record) }
                return saved
            }
        },
        Mutant(
            "save_many counts versions for each record", breaks: "no version comes twice for a key through save_many"
        ) {
            let save = versioned { records, call in records.version(of: call.key) + 1 }
            $0.saveMany = { store, saves in saves.map { save(store, $0) } }
        },
        .saveMany(
            "saved rows come in another order", breaks: "save_many takes items in any order"
        ) { byKey($1).map($0.save) },
        .saveMany(
            "a request has at most a megabyte", breaks: "save_many keeps 1024 records of 32768 bytes"
        ) { store, saves in
            var length = 0
            return saves.map { call in
                length += call.record.count
                return length > 1 << 20 ? Written(.store, version: 0) : store.save(call)
            }
        },
        .saveMany(
            "save_many cuts at a NUL", breaks: "save_many keeps any bytes",
            changed { $0.record = [UInt8]($0.record.prefix { $0 != 0 }) }),
        .saveMany(
            "save_many drops spaces at the end of keys", breaks: "save_many tells keys apart",
            changed { $0.key = withoutSpacesAtEnd($0.key) }),
        Mutant("save_many keeps the pointer to a record", breaks: "save_many copies keys and records") {
            $0.load = { store, call in store.loadFromLentMemory(call.key) }
            $0.saveMany = { store, saves in saves.map { store.saveKeepingMemory($0, "a lent record") } }
        },
        .saveMany("save_many sorts its caller's items", breaks: "save_many leaves its items in place") { store, saves in
            zip(saves, byKey(saves)).map { call, sorted in
                let saved = store.save(sorted)
                return Written(saved.status, version: saved.version, isItemChanged: call.key != sorted.key)
            }
        },
        // They are shown one by one only, until the next batch.
        Mutant("load_many reads beside what save_many wrote", breaks: "load_many sees what save_many saved") {
            $0.loadMany = { store, loads in
                loads.map(store.load).map {
                    $0.version == store.shared.now.number ? Loaded(.notFound, version: 0, []) : $0
                }
            }
            $0.saveMany = { store, saves in store.saveNotingTheLast(saves) }
        },
        .loadMany(
            "load_many has a cache for each handle", breaks: "load_many and save_many of two handles see each other"
        ) { $1.map($0.loadThroughCache) },
        Mutant("the end of the process drops a batch's last item", breaks: "reopening keeps what save_many saved") {
            $0.saveMany = { store, saves in store.saveNotingTheLast(saves) }
            $0.reopened = { run in
                let last = run.memory.now.number
                run.right.locked { records in
                    for key in records.keys where records.version(of: key) == last { records.drop(key) }
                }
            }
        },
    ]

    static let ofParallelBatches: [Mutant] = [
        .saveMany(
            "save_many compares, then sets", breaks: "parallel batches on overlapping keys lose nothing"
        ) { $0.saveManyAfterComparing($1) },
        // A lock for each item, in their order: two locks do for it.
        .saveMany(
            "batches end in deadlocks", breaks: "parallel batches on overlapping keys lose nothing"
        ) { $0.saveManyLocking($1) },
        .saveMany(
            "save_many compares, then sets", breaks: "parallel batches and single saves lose nothing"
        ) { $0.saveManyAfterComparing($1) },
        .saveMany(
            "batches have a lock for each handle", breaks: "parallel batches on a handle each lose nothing"
        ) { store, saves in store.ownLock.hold { store.saveManyAfterComparing(saves) } },
        .saveMany(
            "save_many compares, then sets", breaks: "of parallel batches exactly one wins each key"
        ) { $0.saveManyAfterComparing($1) },
        .loadMany(
            "batches of threads share a statement", breaks: "parallel batches of different keys do not mix"
        ) { store, loads in loads.map { store.loadByOneStatement($0.key) } },
        .loadMany(
            "load_many takes bytes, then versions", breaks: "load_many gives bytes and version of one save"
        ) { store, loads in
            let loaded = loads.map(store.load)
            passAMoment()
            return zip(loads, loaded).map { store.withVersionOfNow($0.key, $1) }
        },
    ]

    private static func byKey(_ loads: [Load]) -> [Load] {
        loads.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }

    private static func byKey(_ saves: [Saving]) -> [Saving] {
        saves.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }

    private static func changed(
        _ change: @escaping @Sendable (inout Saving) -> Void
    ) -> WritingMany {
        { store, saves in
            saves.map { call in
                var call = call
                change(&call)
                return store.save(call)
            }
        }
    }
}

extension MutantHandle {
    func saveNotingTheLast(_ saves: [Saving]) -> [Written] {
        let saved = saves.map(save)
        if let last = saved.last(where: { $0.status == .ok }) { shared.change { $0.number = last.version } }
        return saved
    }

    func saveManyAfterComparing(_ saves: [Saving]) -> [Written] {
        let matches = saves.map { right.version(of: $0.key) == $0.expected }
        passAMoment()
        return zip(saves, matches).map { call, matches in
            matches ? right.saveAnyway(call.key, call.record) : Written(.storeConflict, version: 0)
        }
    }

    /// A deadlock is a failure of all.
    func saveManyLocking(_ saves: [Saving]) -> [Written] {
        let isBackwards = saves.count > 1 && saves[1].key.lexicographicallyPrecedes(saves[0].key)
        return isBackwards
            ? saveMany(saves, locking: run.locks.0, then: run.locks.1)
            : saveMany(saves, locking: run.locks.1, then: run.locks.0)
    }

    private func saveMany(
        _ saves: [Saving], locking first: Lock, then second: Lock
    ) -> [Written] {
        first.hold {
            for _ in 0..<50 {
                passAMoment()
                if let saved = second.holdIfFree({ saves.map(save) }) { return saved }
            }
            return saves.map { _ in Written(.store, version: 0) }
        }
    }
}

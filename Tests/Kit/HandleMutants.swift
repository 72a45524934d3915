import SKANCore

@testable import SKANStoreLaws

extension Mutant {
    static let ofHandles: [Mutant] = [
        Mutant("only the first handle opens", breaks: "open gives a handle with every hook") { $0.mostHandles = 1 },
        Mutant("each handle has a cache of its own", breaks: "two handles see each other's writes") {
            $0.load = { store, call in store.loadThroughCache(call) }
            $0.save = { store, call in
                store.own.change { $0.cache.drop(call.key) }
                return store.save(call, over: call.expected)
            }
            $0.remove = { store, key, expected in
                store.own.change { $0.cache.drop(key) }
                return store.right.remove(key, over: expected)
            }
        },
        Mutant(
            "only the first handle compares", breaks: "a version that is stale through another handle conflicts"
        ) {
            $0.save = { store, call in
                let stored = store.right.version(of: call.key)
                let isCompared = store.number == 1 || call.expected == 0 || stored == 0
                return store.save(call, over: isCompared ? call.expected : stored)
            }
            $0.remove = { store, key, expected in
                store.right.remove(key, over: store.number == 1 ? expected : store.right.version(of: key))
            }
        },
        .save(
            "each handle counts versions", breaks: "no version comes twice for a key through two handles"
        ) { store, call in
            store.right.save(call.key, call.record, over: call.expected) { _ in
                store.own.change { memory in
                    memory.number += memory.number + 1 == call.expected ? 2 : 1
                    return memory.number
                }
            }
        },
        Mutant("closing a handle drops the records", breaks: "closing a handle leaves the others at work") {
            $0.closed = { run in run.right.locked { $0.dropAll() } }
        },
        Mutant("the end of the process drops the records", breaks: "reopening keeps records and their versions") {
            $0.reopened = { run in run.right.locked { $0.dropAll() } }
        },
        // The newest version of a removed record is forgotten.
        Mutant(
            "versions go on from the stored records", breaks: "no version comes twice for a key across reopening"
        ) {
            $0.reopened = { run in
                run.right.locked { records in
                    records.newestVersion = records.keys.map { records.version(of: $0) }.max() ?? 0
                }
            }
        },
    ]

    static let ofThreads: [Mutant] = [
        .save("compare, then set", breaks: "parallel writers on one handle lose nothing") { $0.saveAfterComparing($1) },
        // A failed transaction is no conflict: whoever comes while another one saves.
        .save("being busy is a failure", breaks: "parallel writers on one handle lose nothing") { store, call in
            store.run.locks.0.holdIfFree {
                passAMoment()
                return store.save(call, over: call.expected)
            } ?? Written(.store, version: 0)
        },
        .save(
            "a lock for each handle", breaks: "parallel writers on a handle each lose nothing"
        ) { store, call in store.ownLock.hold { store.saveAfterComparing(call) } },
        .save("look, then insert", breaks: "of parallel inserts exactly one wins") { store, call in
            if call.expected != 0 { return store.save(call, over: call.expected) }
            if store.right.version(of: call.key) != 0 { return Written(.storeConflict, version: 0) }
            passAMoment()
            return store.right.saveAnyway(call.key, call.record)
        },
        .save("compare, then set", breaks: "of parallel saves exactly one wins") { $0.saveAfterComparing($1) },
        .remove(
            "compare, then remove", breaks: "of parallel removes exactly one wins"
        ) { $0.removeAfterComparing($1, $2) },
        .remove(
            "compare, then remove", breaks: "of parallel saves and removes exactly one wins"
        ) { $0.removeAfterComparing($1, $2) },
        .load(
            "load takes bytes, then the version", breaks: "a load gives bytes and version of one save"
        ) { store, call in
            let loaded = store.right.load(call.key)
            passAMoment()
            return store.withVersionOfNow(call.key, loaded)
        },
        .load(
            "threads share a statement", breaks: "parallel work on different keys does not mix"
        ) { $0.loadByOneStatement($1.key) },
    ]
}

extension MutantHandle {
    /// The handle remembers what it loaded.
    func loadThroughCache(_ call: Load) -> Loaded {
        if let record = own.now.cache[call.key] { return Loaded(.ok, version: record.version, record.bytes) }
        let loaded = right.load(call.key)
        if loaded.status == .ok { own.change { $0.cache.put(call.key, loaded.record, version: loaded.version) } }
        return loaded
    }

    func saveAfterComparing(_ call: Saving) -> Written {
        if right.version(of: call.key) != call.expected { return Written(.storeConflict, version: 0) }
        if call.expected == 0 { return right.save(call.key, call.record, over: 0) }
        passAMoment()
        return right.saveAnyway(call.key, call.record)
    }

    func removeAfterComparing(_ key: [UInt8], _ expected: UInt64) -> Status {
        if expected == 0 || right.version(of: key) != expected { return .storeConflict }
        passAMoment()
        right.locked { $0.drop(key) }
        return .ok
    }

    func withVersionOfNow(_ key: [UInt8], _ loaded: Loaded) -> Loaded {
        let stored = right.version(of: key)
        return stored == 0 ? loaded : Loaded(loaded.status, version: stored, loaded.record)
    }

    /// Loads in one statement that all threads share: the key is bound, and then it runs.
    func loadByOneStatement(_ key: [UInt8]) -> Loaded {
        shared.change { $0.key = key }
        passAMoment()
        return right.load(shared.now.key)
    }
}

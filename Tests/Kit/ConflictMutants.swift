import SKANCore

@testable import SKANStoreLaws

extension Mutant {
    /// Compare-and-set.
    static let ofConflicts: [Mutant] = [
        .save("inserting equal bytes twice is fine", breaks: "a second insert conflicts") { store, call in
            if call.expected == 0, let record = store.right.locked({ $0[call.key] }), record.bytes == call.record {
                return Written(.ok, version: record.version)
            }
            return store.save(call, over: call.expected)
        },
        .save(
            "an insert that conflicts writes", breaks: "an insert over a record conflicts and changes nothing"
        ) { store, call in
            let saved = store.save(call, over: call.expected)
            if saved.status == .storeConflict && call.expected == 0 {
                _ = store.right.saveAnyway(call.key, call.record)
            }
            return saved
        },
        .save(
            "a stale save is applied", breaks: "a stale save conflicts and changes nothing",
            saving { stored, expected in expected != 0 && expected < stored ? stored : expected }),
        .save(
            "a save of a missing record inserts", breaks: "a save of a missing record conflicts and inserts nothing",
            saving { stored, expected in stored == 0 ? 0 : expected }),
        .save(
            "32 bits of versions are compared",
            breaks: "a save with a version never given conflicts and changes nothing",
            saving { stored, expected in
                stored != 0 && UInt32(truncatingIfNeeded: stored) == UInt32(truncatingIfNeeded: expected)
                    ? stored : expected
            }),
        .save(
            "a save with a greater version is applied",
            breaks: "a save with a version never given conflicts and changes nothing",
            saving { stored, expected in stored != 0 && expected > stored ? stored : expected }),
        .remove("remove removes nothing", breaks: "a remove takes the record away") { store, key, expected in
            expected != 0 && store.right.version(of: key) == expected ? .ok : .storeConflict
        },
        .remove(
            "remove ignores the version", breaks: "a stale remove conflicts and changes nothing",
            removing { stored, _ in stored }),
        .remove(
            "a stale remove is applied", breaks: "a stale remove conflicts and changes nothing",
            removing { stored, expected in stored != 0 && expected < stored ? stored : expected }),
        .remove(
            "a missing record is removed with success", breaks: "a remove of a missing record conflicts"
        ) { store, key, expected in
            store.right.version(of: key) == 0 ? .ok : store.right.remove(key, over: expected)
        },
        .remove(
            "a remove with a greater version is applied",
            breaks: "a remove with a version never given conflicts and changes nothing",
            removing { stored, expected in stored != 0 && expected > stored ? stored : expected }),
        .save(
            "any version that the store gave is fine",
            breaks: "the version of another key conflicts and changes nothing"
        ) { store, call in
            let (stored, newest) = store.right.locked { ($0.version(of: call.key), $0.newestVersion) }
            let isFine = stored != 0 && 1...newest ~= call.expected
            return store.save(call, over: isFine ? stored : call.expected)
        },
        Mutant(
            "the version of the removed record is still fine",
            breaks: "a version from before a remove conflicts and changes nothing"
        ) {
            $0.save = { store, call in
                let stored = store.right.version(of: call.key)
                let isFine = stored != 0 && call.expected != 0 && call.expected == store.shared.now.number
                return store.save(call, over: isFine ? stored : call.expected)
            }
            $0.remove = { store, key, expected in
                let status = store.right.remove(key, over: expected)
                if status == .ok { store.shared.change { $0.number = expected } }
                return status
            }
        },
    ]

    /// Saves as if the caller had expected another version.
    private static func saving(
        _ taken: @escaping @Sendable (_ stored: UInt64, _ expected: UInt64) -> UInt64
    ) -> Writing {
        { store, call in
            let expected = taken(store.right.version(of: call.key), call.expected)
            return store.save(call, over: expected)
        }
    }

    /// Removes as if the caller had.
    private static func removing(
        _ taken: @escaping @Sendable (_ stored: UInt64, _ expected: UInt64) -> UInt64
    ) -> Removing {
        { store, key, expected in store.right.remove(key, over: taken(store.right.version(of: key), expected)) }
    }
}

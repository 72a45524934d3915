import Glibc
import SKANCore
import SKANSystem

@testable import SKANStoreLaws

extension Mutant {
    /// Records and what load and save may do with memory.
    static let ofRecords: [Mutant] = [
        .load("a missing record is an empty one", breaks: "a missing record is not found") { store, call in
            let loaded = store.right.load(call.key)
            return loaded.status == .notFound ? Loaded(.ok, version: 0, []) : loaded
        },
        .load("loads change a letter", breaks: "load gives what was saved, with its version") { store, call in
            let loaded = store.right.load(call.key)
            let (small, large) = (UInt8(ascii: "r"), UInt8(ascii: "R"))
            return Loaded(loaded.status, version: loaded.version, loaded.record.map { $0 == small ? large : $0 })
        },
        .save("records of 1 byte are refused", breaks: "records of 1 byte are kept") { store, call in
            if call.record.count < 2 { return Written(.store, version: 0) }
            return store.save(call, over: call.expected)
        },
        .save(
            "records are cut to 32767 bytes", breaks: "records of 32768 bytes are kept",
            changedRecord { _, record in [UInt8](record.prefix(32767)) }),
        .save(
            "records end at a NUL", breaks: "records with NUL bytes are kept",
            changedRecord { _, record in [UInt8](record.prefix { $0 != 0 }) }),
        // As a file opened as text has them.
        .save(
            "line ends are translated", breaks: "records with every byte value are kept",
            changedRecord { _, record in
                record.count == 1 ? record : record.filter { $0 != UInt8(ascii: "\r") }
            }),
        .save(
            "records are padded to words", breaks: "records of many lengths are kept",
            changedRecord { _, record in
                record.count < 100 ? record : record + [UInt8](repeating: 0, count: (8 - record.count % 8) % 8)
            }),
        .save(
            "the tail of a longer record stays", breaks: "a shorter record leaves nothing of a longer one",
            changedRecord { before, record in record + (before ?? []).dropFirst(record.count) }),
        .load(
            "a buffer of the same length is not set", breaks: "load replaces what the buffer held"
        ) { $0.loadSparingTheBuffer($1) },
        Mutant("the pointer to the record is kept", breaks: "save copies the record") {
            $0.load = { store, call in store.loadFromLentMemory(call.key) }
            $0.save = { store, call in store.saveKeepingMemory(call, "a record\0") }
        },
        Mutant("the pointer to the key is kept", breaks: "save copies the key") {
            $0.load = { store, call in
                let loaded = store.right.load(call.key)
                guard let lent = store.shared.now.lent, lent.version == loaded.version else { return loaded }
                return bytes(of: lent.memory.key) == call.key ? loaded : Loaded(.notFound, version: 0, [])
            }
            $0.save = { store, call in store.saveKeepingMemory(call, "a record\0") }
        },
    ]

    private static func changedRecord(
        _ changed: @escaping @Sendable (_ before: [UInt8]?, _ record: [UInt8]) -> [UInt8]
    ) -> Writing {
        { store, call in
            let record = changed(store.right.locked { $0[call.key]?.bytes }, call.record)
            return store.right.save(call.key, record, over: call.expected)
        }
    }

    /// Versions.
    static let ofVersions: [Mutant] = [
        .save("versions start at 0", breaks: "a version is never 0") { store, call in
            let saved = store.save(call, over: call.expected)
            return call.expected == 0 ? Written(saved.status, version: 0) : saved
        },
        .load("load gives another version than save", breaks: "load gives the version that save gave") { store, call in
            let loaded = store.right.load(call.key)
            let next = loaded.version % 64 == 63 ? loaded.version + 1 : loaded.version
            return Loaded(loaded.status, version: next, loaded.record)
        },
        .save(
            "a version lasts until the remove", breaks: "every save changes the version",
            versioned { records, call in records[call.key]?.version ?? records.newestVersion + 1 }),
        .save(
            "equal bytes keep the version", breaks: "a save of equal bytes changes the version",
            versioned { records, call in
                guard let before = records[call.key], before.bytes == call.record else {
                    return records.newestVersion + 1
                }
                return before.version
            }),
        .save(
            "versions wrap at 200", breaks: "no version comes twice for a key",
            versioned { records, _ in 1 + records.newestVersion % 199 }),
        .save(
            "versions start anew after a remove", breaks: "no version comes twice for a key across removes",
            versioned { records, call in records.version(of: call.key) + 1 }),
    ]

    /// Saves with a version that is chosen.
    static func versioned(
        _ choose: @escaping @Sendable (Records, Saving) -> UInt64
    ) -> Writing {
        { store, call in
            store.right.save(call.key, call.record, over: call.expected) { records in choose(records, call) }
        }
    }
}

extension MutantHandle {
    /// Believes that a buffer as long as the record holds it.
    func loadSparingTheBuffer(_ call: Load) -> Loaded {
        let loaded = right.load(call.key)
        guard let held = call.held, held.count == 8, loaded.record.count == 8 else { return loaded }
        return Loaded(loaded.status, version: loaded.version, held)
    }

    /// Keeps the memory of a call with this record: laws free what else they lend before they load.
    func saveKeepingMemory(_ call: Saving, _ record: StaticString) -> Written {
        let saved = right.save(call.key, call.record, over: call.expected)
        guard saved.status == .ok, call.record == [UInt8](record.bytes) else { return saved }
        shared.change { $0.lent = (call.lent, saved.version) }
        return saved
    }

    /// Looks again at the memory of that save while its record is the stored one.
    func loadFromLentMemory(_ key: [UInt8]) -> Loaded {
        let loaded = right.load(key)
        guard let lent = shared.now.lent, lent.version == loaded.version else { return loaded }
        return Loaded(loaded.status, version: loaded.version, [UInt8](lent.memory.record))
    }
}

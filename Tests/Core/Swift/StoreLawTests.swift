import SKAN
import Testing

/// The laws of the store contract, for `MemoryStore` as for the host's store of these tests.
struct StoreLawTests {
    enum Kind: CaseIterable {
        case memory, host

        var store: any Store {
            switch self {
            case .memory: MemoryStore()
            case .host: HostStore()
            }
        }
    }

    /// Two records as an engine writes them.
    private static func records() async throws -> (first: [UInt8], second: [UInt8]) {
        let store = HostStore()
        let engine = try Engine(store: store)
        try await engine.register("player-1")
        let first = try #require(await store.load("player-1")).bytes
        try await engine.updateRevenue("player-1", amount: 1, currency: "USD", eventID: "order-1")
        return (first, try #require(await store.load("player-1")).bytes)
    }

    private func saved(_ result: SaveResult) throws -> UInt64 {
        guard case .saved(let version) = result else { throw StoreFailure("a conflict") }
        return version
    }

    @Test(arguments: Kind.allCases)
    func whatWasSavedIsLoaded(_ kind: Kind) async throws {
        let (record, _) = try await StoreLawTests.records()
        let store = kind.store
        #expect(try await store.load("key") == nil)
        let version = try saved(try await store.save("key", record, expected: 0))
        #expect(version != 0)
        #expect(try await store.load("key") == StoredRecord(record, version: version))
        #expect(try await store.load("other") == nil)
    }

    @Test(arguments: Kind.allCases)
    func insertingTwiceIsAConflict(_ kind: Kind) async throws {
        let (record, other) = try await StoreLawTests.records()
        let store = kind.store
        let version = try saved(try await store.save("key", record, expected: 0))
        #expect(try await store.save("key", other, expected: 0) == .conflict)
        #expect(try await store.load("key") == StoredRecord(record, version: version))
    }

    @Test(arguments: Kind.allCases)
    func everySaveChangesTheVersionAlsoForEqualBytes(_ kind: Kind) async throws {
        let (record, _) = try await StoreLawTests.records()
        let store = kind.store
        var versions: Set<UInt64> = [0]
        var version: UInt64 = 0
        for _ in 0..<10 {
            version = try saved(try await store.save("key", record, expected: version))
            #expect(versions.insert(version).inserted)
        }
    }

    @Test(arguments: Kind.allCases)
    func aStaleWriteChangesNothing(_ kind: Kind) async throws {
        let (record, newer) = try await StoreLawTests.records()
        let store = kind.store
        let old = try saved(try await store.save("key", record, expected: 0))
        let version = try saved(try await store.save("key", newer, expected: old))
        for expected in [0, old, version + 1, .max] {
            #expect(try await store.save("key", record, expected: expected) == .conflict)
            #expect(try await store.remove("key", expected: expected) == .conflict)
        }
        #expect(try await store.load("key") == StoredRecord(newer, version: version))
    }

    @Test(arguments: Kind.allCases)
    func whereThereIsNoRecordOnlyAnInsertIsNoConflict(_ kind: Kind) async throws {
        let (record, _) = try await StoreLawTests.records()
        let store = kind.store
        #expect(try await store.save("key", record, expected: 1) == .conflict)
        #expect(try await store.remove("key", expected: 0) == .conflict)
        #expect(try await store.remove("key", expected: 1) == .conflict)
        #expect(try await store.load("key") == nil)
    }

    @Test(arguments: Kind.allCases)
    func noVersionComesBackAfterARemove(_ kind: Kind) async throws {
        let (record, _) = try await StoreLawTests.records()
        let store = kind.store
        var versions: Set<UInt64> = []
        for _ in 0..<10 {
            let version = try saved(try await store.save("key", record, expected: 0))
            #expect(versions.insert(version).inserted)
            #expect(try await store.remove("key", expected: version) == .removed)
            #expect(try await store.load("key") == nil)
        }
    }

    /// Keys are bytes: "é" as one scalar is another key than "é" as two, though Swift calls the texts equal.
    @Test(arguments: Kind.allCases)
    func keysAreBytes(_ kind: Kind) async throws {
        let engine = try Engine(store: kind.store)
        #expect(try await engine.register("\u{E9}").outcome == .ok)
        #expect(try await engine.register("e\u{301}").outcome == .ok)
    }

    @Test func aMemoryStoreTakesOnlyRecords() async throws {
        let store = MemoryStore()
        let (record, _) = try await StoreLawTests.records()
        var damaged = record
        damaged[damaged.count - 1] ^= 1
        for bytes in [[], [1, 2, 3], damaged, [UInt8](repeating: 1, count: 100_000)] {
            #expect(throws: StoreFailure.self) { try store.save("key", bytes, expected: 0) }
        }
        #expect(throws: StoreFailure.self) {
            try store.save(String(repeating: "x", count: 129), record, expected: 0)
        }
        #expect(store.load("key") == nil)
    }

    /// An engine that works on a memory store directly, and one that reaches it by the protocol, see the same installs.
    @Test func aMemoryStoreIsTheSameFromBothSides() async throws {
        let store = MemoryStore()
        let direct = try Engine(store: store)
        let other = try Engine(store: ScriptedStore(over: store))
        for _ in 0..<40 {
            try await direct.updateRevenue("player-1", amount: 0.1, currency: "USD", eventID: nil)
            try await other.updateRevenue("player-1", amount: 0.01, currency: "USD")
        }
        #expect(try await direct.register("player-1").outcome == .ok)
        #expect(try await other.register("player-1").outcome == .alreadyRegistered)
        #expect(try await direct.details("player-1").iapRevenue["USD"]?.description == "4.4")
        #expect(try await other.details("player-1") == direct.details("player-1"))
        try await other.forget("player-1")
        #expect(try await direct.details("player-1") == Details())
    }

    @Test func enginesMayShareAStore() async throws {
        let store = HostStore()
        let first = try Engine(store: store)
        let second = try Engine(store: store)
        #expect(try await first.register("player-1").outcome == .ok)
        #expect(try await second.register("player-1").outcome == .alreadyRegistered)
        // Without a store of their own each has one in memory.
        #expect(try await Engine().register("player-1").outcome == .ok)
        #expect(try await Engine().register("player-1").outcome == .ok)
    }
}

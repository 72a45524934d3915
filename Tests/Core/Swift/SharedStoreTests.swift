import SKAN
import Testing

/// A store beneath engines. That a `MemoryStore` keeps the laws of the store contract the kit shows, in
/// Tests/Stores/Swift.
struct SharedStoreTests {
    @Test func aMemoryStoreTakesOnlyRecords() async throws {
        let host = HostStore()
        try await Engine(.asking, store: host).register("player-1")
        let record = try #require(await host.load("player-1")).bytes
        var damaged = record
        damaged[damaged.count - 1] ^= 1
        let store = MemoryStore()
        for bytes in [[], [1, 2, 3], damaged, [UInt8](repeating: 1, count: 100_000)] {
            #expect(throws: StoreFailure.self) { try store.save("key", bytes, expected: 0) }
        }
        #expect(throws: StoreFailure.self) { try store.save(String(repeating: "x", count: 129), record, expected: 0) }
        #expect(store.load("key") == nil)
    }

    /// An engine that works on a memory store directly, and one that reaches it by the protocol, see the same installs.
    @Test func aMemoryStoreIsTheSameFromBothSides() async throws {
        let store = MemoryStore()
        let direct = try Engine(.asking, store: store)
        let other = try Engine(.asking, store: ScriptedStore(over: store))
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
}

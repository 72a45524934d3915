import SKAN
import SKANRedis
import SKANStoreKit
import Synchronization
import Testing

/// The Redis store, on a server of these tests' own.
struct RedisTests {
    let server: Server

    init() throws { server = try Server("redis", "appendfsync=no") }

    @Test
    func itKeepsEveryLaw() async throws {
        var kit = StoreKit(isDurable: true, isShared: true)
        kit.prefix = ""
        kit.rounds = 10
        kit.steps = 200
        let url = server["url"]
        let results = try await kit.run { try await RedisStore.redis(url) }
        expectAll(results)
        #expect(results.count > 20)
    }

    @Test
    func manyAmountsAreCounted() async throws {
        let engine = try await Engine(store: .redis(server["url"], prefix: "many:"))
        let items = (0..<500).map { Revenue("player-\($0 % 100)", amount: 1, currency: "USD", eventID: "order-\($0)") }
        let outcomes = try await engine.updateRevenue(items).map { try $0.get() }
        #expect(outcomes == Array(repeating: .ok, count: 500))
        let other = try await Engine(store: .redis(server["url"], prefix: "many:"))
        #expect(try await other.details("player-99").iapRevenue == ["USD": Amount(5)])
    }

    @Test
    func itsWordsComeThrough() async throws {
        let told = Mutex<[SKANError]>([])
        let engine = try await Engine(
            store: .redis(server["url"], timeout: .seconds(2)) { error in told.withLock { $0.append(error) } })
        try await engine.register("player-1")
        try server.stop()
        let error = await #expect(throws: SKANError.self) { try await engine.register("player-2") }
        #expect(error?.code == .store)
        let words = told.withLock { $0.last?.message } ?? ""
        #expect(!words.isEmpty)
        #expect(error?.message == "store.load: failed: \(words)")
        try server.again()
        #expect(try await engine.register("player-2").outcome == .ok)
    }

    @Test(arguments: ["http://localhost", "rediss://localhost", "redis://a:se%ret@localhost"])
    func whatIsNoURLIsRefused(_ url: String) async throws {
        let refused = await #expect(throws: SKANError.self) { try await RedisStore.redis(url) }
        #expect(refused?.code == .invalidArgument)
        #expect(refused?.message.contains("ret@") == false)
    }
}

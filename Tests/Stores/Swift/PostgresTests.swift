import SKAN
import SKANPostgres
import SKANStoreKit
import Synchronization
import Testing

/// The PostgreSQL store, on a server of these tests' own.
struct PostgresTests {
    let server: Server

    init() throws { server = try Server("postgres", "fsync=off") }

    @Test
    func itKeepsEveryLaw() async throws {
        var kit = StoreKit(isDurable: true, isShared: true)
        kit.prefix = ""
        kit.rounds = 10
        kit.steps = 200
        let url = server["url"]
        let results = try await kit.run { try await PostgresStore.postgres(url, createTable: true) }
        expectAll(results)
        #expect(results.count > 20)
    }

    @Test
    func manyAmountsAreCounted() async throws {
        let engine = try await Engine(store: .postgres(server["url"], table: "public.installs", createTable: true))
        let items = (0..<500).map { Revenue("player-\($0 % 100)", amount: 1, currency: "USD", eventID: "order-\($0)") }
        let outcomes = try await engine.updateRevenue(items).map { try $0.get() }
        #expect(outcomes == Array(repeating: .ok, count: 500))
        let other = try await Engine(store: .postgres(server["url"], table: "public.installs"))
        for player in [0, 99] {
            #expect(try await other.details("player-\(player)").iapRevenue == ["USD": Amount(5)])
        }
    }

    @Test
    func itsWordsComeThrough() async throws {
        let told = Mutex<[SKANError]>([])
        let engine = try await Engine(
            store: .postgres(server["url"], createTable: true, timeout: .seconds(2)) { error in
                told.withLock { $0.append(error) }
            })
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

    @Test
    func whatCannotBeOpenedIsRefused() async throws {
        let url = server["url"]
        let missing = await #expect(throws: SKANError.self) { try await PostgresStore.postgres(url) }
        #expect(missing?.code == .store)
        #expect(missing?.message.contains("skan_records") == true)
        let unread = await #expect(throws: SKANError.self) { try await PostgresStore.postgres("postgres://a:se%ret@/") }
        #expect(unread?.code == .invalidArgument)
        #expect(unread?.message.contains("ret@") == false)
        for connections in [0, 1025, -1, Int.max] {
            let refused = await #expect(throws: SKANError.self) {
                try await PostgresStore.postgres(url, createTable: true, connections: connections)
            }
            #expect(refused?.code == .invalidArgument)
        }
    }
}

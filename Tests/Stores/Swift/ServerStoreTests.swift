import SKAN
import SKANPostgres
import SKANRedis
import SKANStoreThreads
import Synchronization
import Testing

/// The stores that are on a server, each on one of these tests' own: they keep the laws by Tests/Stores/Library, and
/// what Swift has before them by KitTests.
struct ServerStoreTests {
    enum Kind: String, CaseIterable {
        case postgres, redis

        func server() throws -> Server { try Server(rawValue, self == .postgres ? "fsync=off" : "appendfsync=no") }

        func store(_ server: Server, report: CompanionStore.Report? = nil) async throws -> CompanionStore {
            let (url, timeout) = (server["url"], Duration.seconds(5))
            switch self {
            case .postgres:
                return try await PostgresStore.postgres(url, createTable: true, timeout: timeout, report: report)
            case .redis: return try await RedisStore.redis(url, timeout: timeout, report: report)
            }
        }
    }

    @Test(arguments: Kind.allCases)
    func manyAmountsAreCounted(_ kind: Kind) async throws {
        let server = try kind.server()
        let engine = try await Engine(.asking, store: kind.store(server))
        let items = (0..<500).map { Revenue("player-\($0 % 100)", amount: 1, currency: "USD", eventID: "order-\($0)") }
        let outcomes = try await engine.updateRevenueMany(items).map { try $0.get() }
        #expect(outcomes == Array(repeating: .ok, count: 500))
        let other = try await Engine(.asking, store: kind.store(server))
        for player in [0, 99] {
            #expect(try await other.details("player-\(player)").iapRevenue == ["USD": Amount(5)])
        }
    }

    @Test(arguments: Kind.allCases)
    func itsWordsComeThrough(_ kind: Kind) async throws {
        let server = try kind.server()
        let told = Mutex<[SKANError]>([])
        let engine = try await Engine(
            .asking, store: kind.store(server) { error in told.withLock { $0.append(error) } })
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
}

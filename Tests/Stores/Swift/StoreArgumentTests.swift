import SKAN
import SKANPostgres
import SKANRedis
import SKANSQLite
import Testing

/// What stores refuse when they are opened is told by the names of Swift's parameters, before a file or server is asked.
struct StoreArgumentTests {
    private func expectInvalid(
        _ argument: String, _ sourceLocation: SourceLocation = #_sourceLocation, _ open: () throws -> any Store
    ) {
        let error = #expect(throws: SKANError.self, sourceLocation: sourceLocation) { try open() }
        #expect(error?.code == .invalidArgument, sourceLocation: sourceLocation)
        #expect(error?.message.hasPrefix("\(argument): ") == true, sourceLocation: sourceLocation)
    }

    private static let wrongTimes: [Duration] = [.zero, .seconds(-1), .seconds(3601), .seconds(Int64.max)]
    private static let wrongCounts = [0, -1, 1025, Int.max]

    @Test(arguments: wrongTimes)
    func times(_ time: Duration) {
        expectInvalid("busyTimeout") { try SQLiteStore(path: "/nowhere/x.db", busyTimeout: time) }
        expectInvalid("timeout") { try PostgresStore("postgres://127.0.0.1:1/x", timeout: time) }
        expectInvalid("timeout") { try RedisStore("redis://127.0.0.1:1", timeout: time) }
        expectInvalid("connectTimeout") { try RedisStore("redis://127.0.0.1:1", connectTimeout: time) }
    }

    @Test(arguments: wrongCounts)
    func connections(_ count: Int) {
        expectInvalid("connections") { try SQLiteStore(path: "/nowhere/x.db", connections: count) }
        expectInvalid("connections") { try PostgresStore("postgres://127.0.0.1:1/x", connections: count) }
        expectInvalid("connections") { try RedisStore("redis://127.0.0.1:1", connections: count) }
    }

    @Test func texts() {
        expectInvalid("path") { try SQLiteStore(path: "") }
        expectInvalid("path") { try SQLiteStore(path: "a\0b") }
        expectInvalid("url") { try PostgresStore("") }
        expectInvalid("table") { try PostgresStore("postgres://127.0.0.1:1/x", table: "a.b.c") }
        expectInvalid("url") { try RedisStore("http://127.0.0.1:1") }
        expectInvalid("prefix") { try RedisStore("redis://127.0.0.1:1", prefix: "{a}") }
        expectInvalid("prefix") { try RedisStore("redis://127.0.0.1:1", prefix: String(repeating: "x", count: 65)) }
        for days in [0, -1, 36_501, Int.max] {
            expectInvalid("expireDaysAfterClose") { try RedisStore("redis://127.0.0.1:1", expireDaysAfterClose: days) }
        }
    }
}

import SKAN
import SKANSQLite
import Testing

struct SQLiteTests {
    @Test
    func anInstallOutlivesItsEngine() async throws {
        let folder = try Folder()
        let path = folder.path("players.db")
        let engine = try await Engine(Configuration(), store: .sqlite(path: path))
        try await engine.register("player-1")
        try await engine.updateRevenue("player-1", amount: 4.99, currency: "USD", eventID: "order-1")

        let other = try await Engine(store: .sqlite(path: path, synchronous: .normal, connections: 2))
        #expect(
            try await other.updateRevenue("player-1", amount: 4.99, currency: "USD", eventID: "order-1")
                == .duplicateEvent)
        #expect(try await other.register("player-1").outcome == .alreadyRegistered)
    }
}

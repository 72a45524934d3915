import SKAN
import Testing

/// Any number of tasks and engines: nothing is lost, nothing counts twice. Over stores that fail it is in
/// Tests/Trouble/Core/threads.c.
struct ConcurrencyTests {
    @Test(arguments: [MemoryStore(), HostStore()] as [any Store])
    func sumsAreExact(_ store: any Store) async throws {
        let engines = [try Engine(.asking, store: store), try Engine(.asking, store: store)]
        let registrations = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<16 {
                let engine = engines[number % 2]
                group.addTask {
                    let isFirst = try await engine.register("player-1").outcome == .ok
                    for order in 0..<25 {
                        try await engine.updateRevenue("player-1", amount: 0.1, currency: "USD")
                        // Of 16 retries one counts.
                        try await engine.updateRevenue(
                            "player-1", amount: 0.01, currency: "EUR", kind: .ad, eventID: "order-\(order)")
                    }
                    return isFirst
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(registrations == 1)
        let details = try await engines[0].details("player-1")
        #expect(details.iapRevenue == ["USD": Amount(40)])
        #expect(details.adRevenue == ["EUR": Amount("0.25")])
        #expect(details.windows[0].iapRevenue == ["USD": Amount(40)])
    }

    /// A call whose hooks do not wait does not either: nothing else runs on the caller's actor meanwhile.
    @Test @MainActor func aCallStaysOnItsActor() async throws {
        let engine = try Engine(.asking)
        var hasRunBetween = false
        let other = Task { hasRunBetween = true }
        try await engine.register("player-1")
        try await engine.updateRevenue("player-1", amount: 1, currency: "USD")
        _ = try await engine.details("player-1")
        #expect(!hasRunBetween)
        await other.value
        #expect(hasRunBetween)
    }
}

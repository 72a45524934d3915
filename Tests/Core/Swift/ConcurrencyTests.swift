import SKAN
import Testing

/// Any number of tasks, engines and stores: nothing is lost, nothing counts twice.
struct ConcurrencyTests {
    @Test(arguments: StoreLawTests.Kind.allCases)
    func sumsAreExact(_ kind: StoreLawTests.Kind) async throws {
        let store = kind.store
        let engines = [try Engine(store: store), try Engine(store: store)]
        try await engines[0].register("player-1")
        try await withThrowingTaskGroup { group in
            for number in 0..<16 {
                group.addTask {
                    for _ in 0..<25 {
                        try await engines[number % 2].updateRevenue("player-1", amount: 0.1, currency: "USD")
                        try await engines[number % 2].updateRevenue(
                            "player-1", amount: 0.01, currency: "EUR", adMonetization: true)
                    }
                }
            }
            try await group.waitForAll()
        }
        let details = try await engines[0].details("player-1")
        #expect(details.iapRevenue == ["USD": Amount(40)])
        #expect(details.adRevenue == ["EUR": Amount(4)])
        #expect(details.p0.iapRevenue == ["USD": Amount(40)])
    }

    @Test(arguments: StoreLawTests.Kind.allCases)
    func ofManyRetriesOneCounts(_ kind: StoreLawTests.Kind) async throws {
        let engine = try Engine(store: kind.store)
        let counted = try await withThrowingTaskGroup(of: Outcome.self) { group in
            for number in 0..<60 {
                group.addTask {
                    try await engine.updateRevenue(
                        "player-1", amount: 1, currency: "USD", eventID: "order-\(number % 3)")
                }
            }
            return try await group.reduce(into: 0) { count, outcome in count += outcome == .ok ? 1 : 0 }
        }
        #expect(counted == 3)
        #expect(try await engine.details("player-1").iapRevenue == ["USD": Amount(3)])
    }

    @Test(arguments: StoreLawTests.Kind.allCases)
    func ofManyRegistrationsOneSucceeds(_ kind: StoreLawTests.Kind) async throws {
        let engine = try Engine(store: kind.store)
        let updates = try await withThrowingTaskGroup(of: Update?.self) { group in
            for _ in 0..<20 { group.addTask { try await engine.register("player-1").update } }
            return try await group.compactMap { $0?.id }.reduce(into: [UInt64]()) { $0.append($1) }
        }
        #expect(updates == [1])
    }

    /// Writes whose end the store cannot tell, in the middle of others' writes.
    @Test func sumsAreExactOverAnUnreliableStore() async throws {
        let store = HostStore()
        try await withThrowingTaskGroup { group in
            for number in 0..<6 {
                let faults = number % 2 == 0 ? ScriptedStore.saveIsLost : ScriptedStore.saveIsAppliedThenTimesOut
                let unreliable = ScriptedStore(over: store, .init(saves: .init(repeating: faults, count: 5)))
                let engine = try Engine(store: unreliable)
                group.addTask {
                    for order in 0..<20 {
                        // An unknown end is answered by calling again with the same id.
                        while true {
                            do {
                                try await engine.updateRevenue(
                                    "player-1", amount: 0.1, currency: "USD", eventID: "order-\(number)-\(order % 10)")
                                break
                            } catch SKANError.Code.storeUnknown {
                                continue
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await Engine(store: store).details("player-1").iapRevenue == ["USD": Amount(6)])
    }

    @Test func ticketsOrderRequestsOfAllTasks() async throws {
        let engine = try Engine(clock: TestClock().hook)
        try await engine.register("player-1")
        let tickets = try await withThrowingTaskGroup(of: [UInt64].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var tickets: [UInt64] = []
                    for _ in 0..<50 {
                        guard let request = try await engine.conversionRequest("player-1").request else { continue }
                        tickets.append(request.ticket)
                    }
                    return tickets
                }
            }
            var all: [[UInt64]] = []
            for try await tickets in group { all.append(tickets) }
            return all
        }
        for ofOneTask in tickets { #expect(ofOneTask == ofOneTask.sorted()) }
        #expect(Set(tickets.joined()).count == 400)
    }

    /// A call whose hooks do not wait does not either: nothing else runs on the caller's actor meanwhile.
    @Test @MainActor func aCallStaysOnItsActor() async throws {
        let engine = try Engine()
        var hasRunBetween = false
        let other = Task { hasRunBetween = true }
        try await engine.register("player-1")
        try await engine.updateRevenue("player-1", amount: 1, currency: "USD")
        _ = try await engine.details("player-1")
        #expect(!hasRunBetween)
        await other.value
        #expect(hasRunBetween)
    }

    @Test func manyInstallsAtOnce() async throws {
        let engine = try Engine(transport: Endpoint(#"{"conversion_value":9}"#).transport)
        try await withThrowingTaskGroup { group in
            for number in 0..<200 {
                group.addTask {
                    let install = "player-\(number)"
                    try await engine.register(install)
                    try await engine.updateRevenue(install, amount: Double(number) + 0.25, currency: "USD")
                    try await engine.updateConversionValues(install)
                }
            }
            try await group.waitForAll()
        }
        for number in 0..<200 {
            let details = try await engine.details("player-\(number)")
            #expect(details.fineValue == 9)
            #expect(details.iapRevenue["USD"]?.description == "\(number).25")
        }
    }
}

import SKAN
import Testing

/// What an engine is by itself and beside others. Lives of installs are in Tests/Vectors.
struct LifeTests {
    /// A call waits until it is delivered, and again if it failed after all.
    @Test(arguments: [ProtocolVersion.skan3, .skan4])
    func aCallWaitsUntilItIsDelivered(_ version: ProtocolVersion) async throws {
        let engine = try Engine(
            Configuration(protocolVersion: version, endpointURL: "https://skan.example.com"),
            transport: Endpoint().transport)
        try await engine.register("player-1")
        let update = try #require(try await engine.updateConversionValues("player-1").update)
        let call = try #require(try await engine.waitingCall("player-1"))
        #expect((call.id, call.fineValue) == (update.id, update.fineValue))
        try await engine.acknowledgeCalls("player-1", [(update.id, .delivered)])
        #expect(try await engine.pendingCalls("player-1") == [])
        try await engine.acknowledgeCalls("player-1", [(update.id, .failed)])
        #expect(try await engine.waitingCall("player-1") == call)
    }

    /// SKAN 3 knows neither coarse values nor locks, and AdAttributionKit nothing of SKAN 3.
    @Test func skan3HasOneCall() async throws {
        let engine = try Engine(
            Configuration(protocolVersion: .skan3, endpointURL: "https://skan.example.com"),
            transport: Endpoint().transport, clock: TestClock(seconds: 1_700_000_000).hook)
        try await engine.register("player-1")
        #expect(try await engine.pendingCalls("player-1") == [])
        try await engine.updateConversionValues("player-1")
        let call = try #require(try await engine.waitingCall("player-1"))
        #expect(try await engine.pendingCalls("player-1") == [call])
        #expect(call.coarseValue == nil && !call.locksWindow && call.conversionType == nil && call.window == 0)
        #expect(call.validUntil == 1_700_086_400)
        #expect(try await engine.pendingCalls("player-1", osVersion: "13.7") == [])
    }

    /// One id counts once, though its answer is lost and it is asked again, in two steps as in one.
    @Test func anEventInTwoStepsCountsOnce() async throws {
        let engine = try Engine(.asking, clock: TestClock(seconds: 1_700_000_000).hook)
        try await engine.register("player-1")
        let event = Event("purchase", eventID: "order-1", amount: 4.99, currency: "USD")
        let lost = try #require(try await engine.conversionRequest("player-1", event).request)
        #expect(lost.url.hasSuffix("&event_revenue=4.99&event_currency=USD&event_id=order-1"))
        let again = try #require(try await engine.conversionRequest("player-1", event).request)
        let body = Array(#"{"conversion_value": 5}"#.utf8)
        let result = try await engine.applyResponse("player-1", event, ticket: again.ticket, body: body)
        #expect(result.update?.fineValue == 5)
        #expect(
            try await engine.applyResponse("player-1", event, ticket: lost.ticket, body: body).outcome
                == .duplicateEvent)
        #expect(try await engine.conversionRequest("player-1", event).outcome == .duplicateEvent)
        #expect(try await engine.details("player-1").iapRevenue == ["USD": Amount("4.99")])
    }

    /// No request goes to anybody whom the host has not named.
    @Test func anEngineWithoutModelsNeedsAnEndpoint() async throws {
        await expect(throwing: .invalidArgument) { _ = try Engine() }
        await expect(throwing: .invalidArgument) {
            _ = try Engine(Configuration(protocolVersion: .skan3), transport: Endpoint().transport)
        }
        let answers = try Engine(Configuration(protocolVersion: .skan3))
        try await answers.register("player-1")
        await expect(throwing: .misuse) { _ = try await answers.conversionRequest("player-1") }
    }

    @Test func theEndpointIsTheConfigurations() async throws {
        let engine = try Engine(Configuration(endpointURL: "https://example.com/skan/"))
        try await engine.register("player-1")
        let request = try #require(try await engine.conversionRequest("player-1").request)
        #expect(request.url.hasPrefix("https://example.com/skan/api/v2/conversion_value?n=__SESSION__&p=iOS&"))
    }

    @Test func withoutATransportOnlyTheHostCanAsk() async throws {
        let engine = try Engine(.asking)
        try await engine.register("player-1")
        let error = await failure { try await engine.updateConversionValues("player-1") }
        #expect(error?.code == .misuse)
    }

    /// Engines are shared between tasks and kept in actors: this compiles in Swift 6 mode.
    @Test func enginesAndWhatTheyGiveAreSendable() {
        func requireSendable<each Value: Sendable>(_: repeat (each Value).Type) {}
        requireSendable(Engine.self, Configuration.self, ConversionRequest.self, RequestResult.self)
        requireSendable(UpdateResult.self, Details.self, SKANError.self, StoreFailure.self)
    }
}

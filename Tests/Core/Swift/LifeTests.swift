import SKAN
import Testing

/// The life of one install, as the documentation of `Engine` tells it.
struct LifeTests {
    @Test func fromFirstLaunchToDelivery() async throws {
        let clock = TestClock()
        let endpoint = Endpoint(#"{"conversion_value":12,"skan_updated_coarse_value":1,"status":"ok"}"#)
        let engine = try Engine(
            Configuration(sdkKey: "key", bundleID: "com.example.game", appVersion: "1.2.3"),
            transport: endpoint.transport, clock: clock.hook)

        let registration = try await engine.register("player-1")
        #expect(registration.outcome == .ok)
        #expect(registration.update?.id == 1)
        #expect(registration.update?.fineValue == 0)
        #expect(try await engine.register("player-1").outcome == .alreadyRegistered)

        #expect(try await engine.updateRevenue("player-1", amount: 4.99, currency: "usd", eventID: "order-1") == .ok)
        let retry = try await engine.updateRevenue("player-1", amount: 4.99, currency: "usd", eventID: "order-1")
        #expect(retry == .duplicateEvent)

        clock.seconds += 60
        let update = try #require(try await engine.updateConversionValues("player-1", event: "purchase").update)
        #expect(update.id == 2)
        #expect(update.window == 0)
        #expect(update.fineValue == 12)
        #expect(update.coarseValue == .medium)
        #expect(!update.locksWindow)
        #expect(update.timestamp == clock.seconds)

        #expect(try await engine.pendingUpdate("player-1") == update)
        try await engine.acknowledgeUpdate("player-1", id: update.id)
        #expect(try await engine.pendingUpdate("player-1") == nil)
        try await engine.acknowledgeUpdate("player-1", id: update.id, delivered: false)
        #expect(try await engine.pendingUpdate("player-1") == update)

        let details = try await engine.details("player-1")
        #expect(details.fineValue == 12)
        #expect(details.iapRevenue == ["USD": Amount("4.99")])
        #expect(details.p0.coarseValue == .medium)
        #expect(try await engine.metadata("player-1").hasPrefix("skan_current_conversion_value=12&prev_fine_value=0&"))

        try await engine.forget("player-1")
        #expect(try await engine.details("player-1") == Details())
        #expect(try await engine.metadata("player-1") == "")
    }

    @Test func requestAndAnswerByTheHost() async throws {
        let engine = try Engine(Configuration(endpointURL: "https://example.com/skan/"))
        #expect(try await engine.conversionRequest("player-1").outcome == .notRegistered)
        try await engine.register("player-1")

        let first = try #require(try await engine.conversionRequest("player-1").request)
        let second = try #require(try await engine.conversionRequest("player-1", event: "level up").request)
        #expect(first.url.hasPrefix("https://example.com/skan/api/v2/conversion_value?n=__SESSION__&p=iOS&"))
        #expect(second.url.contains("n=level%20up&"))
        #expect(second.ticket > first.ticket)

        let answer = Array(#"{"conversion_value":5,"status":"ok"}"#.utf8)
        let applied = try await engine.applyResponse("player-1", ticket: second.ticket, body: answer)
        #expect(applied.outcome == .ok)
        #expect(applied.update?.fineValue == 5)
        let late = try await engine.applyResponse("player-1", ticket: first.ticket, body: answer)
        #expect(late.outcome == .staleResponse)
        #expect(late.update == nil)
    }

    @Test func skan3BeginsWithoutAnUpdate() async throws {
        let engine = try Engine(Configuration(protocolVersion: .skan3))
        let registration = try await engine.register("player-1")
        #expect(registration.outcome == .ok)
        #expect(registration.update == nil)
        #expect(try await engine.details("player-1").protocolVersion == .skan3)
    }

    @Test func withoutATransportOnlyTheHostCanAsk() async throws {
        let engine = try Engine()
        try await engine.register("player-1")
        let error = await failure { try await engine.updateConversionValues("player-1") }
        #expect(error?.code == .misuse)
    }

    /// Engines are shared between tasks and kept in actors: this compiles in Swift 6 mode.
    @Test func enginesAndWhatTheyGiveAreSendable() async throws {
        func requireSendable<Value: Sendable>(_: Value.Type) {}
        requireSendable(Engine.self)
        requireSendable(Configuration.self)
        requireSendable(ConversionRequest.self)
        requireSendable(RequestResult.self)
        requireSendable(UpdateResult.self)
        requireSendable(Details.self)
        requireSendable(SKANError.self)
        requireSendable(StoreFailure.self)

        actor Session {
            let engine: Engine
            init(_ engine: Engine) { self.engine = engine }
            func begin() async throws -> Update? { try await engine.register("player-1").update }
        }
        let engine = try Engine()
        #expect(try await Session(engine).begin()?.id == 1)
        #expect(try await Task { try await engine.register("player-1").outcome }.value == .alreadyRegistered)
    }
}

import SKAN
import Testing

/// What an engine is by itself and beside others. Lives of installs are in Tests/Vectors.
struct LifeTests {
    /// Delivered unless it is said.
    @Test func acknowledgingSaysDelivered() async throws {
        let engine = try Engine()
        let update = try #require(try await engine.register("player-1").update)
        try await engine.acknowledgeUpdate("player-1", id: update.id)
        #expect(try await engine.pendingUpdate("player-1") == nil)
        try await engine.acknowledgeUpdate("player-1", id: update.id, delivered: false)
        #expect(try await engine.pendingUpdate("player-1") == update)
    }

    @Test func theEndpointIsTheConfigurations() async throws {
        let engine = try Engine(Configuration(endpointURL: "https://example.com/skan/"))
        try await engine.register("player-1")
        let request = try #require(try await engine.conversionRequest("player-1").request)
        #expect(request.url.hasPrefix("https://example.com/skan/api/v2/conversion_value?n=__SESSION__&p=iOS&"))
    }

    @Test func withoutATransportOnlyTheHostCanAsk() async throws {
        let engine = try Engine()
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

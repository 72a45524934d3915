import Foundation
import SKAN
import Testing

/// Rules, "Endpoint decisions", "Test endpoint", in Swift: an engine that answers requests. Asked by another one it is in
/// EndpointLivesTests.
struct EndpointTests {
    private static let now: Int64 = 1_700_000_000
    private static let clock: Engine.Clock = { now * 1_000_000 }

    private func model() throws -> ConversionModel {
        let rules = #"{"rules":[{"fine":3,"coarse":1,"when":{"sessions":{"min":2}}}]}"#
        let json = #"{"schema":1,"id":"m","windows":[\#(rules),{"rules":[]},{"rules":[]}]}"#
        return try ConversionModel(json: Data(json.utf8))
    }

    private func target(_ more: String = "") -> String {
        "/api/v2/conversion_value?a=key&v=17.2&i=com.example.game&app_v=1&n=__SESSION__&p=iOS&idfv=user"
            + "&skan_current_conversion_value=0&skan_first_call_to_skadnetwork_timestamp=\(EndpointTests.now)" + more
    }

    @Test(arguments: [true, false]) func anEngineAnswers(inMemory: Bool) async throws {
        let store: any Store = inMemory ? MemoryStore() : HostStore()
        let engine = try Engine(store: store, models: [try model()], clock: EndpointTests.clock)
        let first = try await engine.answerRequest(target())
        #expect(first.outcome == .noNewValue)
        #expect(first.json == #"{"status":"ok"}"#)
        let second = try await engine.answerRequest(target())
        #expect(second.outcome == .ok)
        let value =
            #"{"conversion_value":3,"skan_updated_coarse_value":1,"postback_sequence_index":0,"status":"ok"}"#
        #expect(second.json == value)
        #expect(try await engine.answerRequest(target("&p0_window_lock=1700000000")).outcome == .windowLocked)
        let refused = try await engine.answerRequest(target("&n=twice"))
        #expect(refused.outcome == nil)
        let reason = "Conversion Management: Invalid parameter n given"
        #expect(refused.json == #"{"status":"error","reason":"\#(reason)"}"#)
    }

    @Test func skan3HasATestEndpoint() async throws {
        let engine = try Engine(Configuration(protocolVersion: .skan3), clock: EndpointTests.clock)
        let target = "/api/v1/conversion_value?p=iOS&n=win&idfv=u&first_call_to_skadnetwork_timestamp=1700000000"
        #expect(try await engine.answerRequest(target).json == #"{"conversion_value":0,"status":"ok"}"#)
    }

    /// A user keeps the model it began with; who installs the app again begins with the first one, without counts.
    @Test func aUserKeepsItsModel() async throws {
        let store = HostStore()
        let other = #"{"schema":1,"id":"other","windows":[{"rules":[]},{"rules":[]},{"rules":[]}]}"#
        let engine = try Engine(store: store, models: [try model()], clock: EndpointTests.clock)
        let newer = try Engine(
            store: store, models: [ConversionModel(json: Data(other.utf8))], clock: EndpointTests.clock)
        let again = target().replacing("=\(EndpointTests.now)", with: "=\(EndpointTests.now - 1)")
        #expect(try await engine.answerRequest(target()).outcome == .noNewValue)
        await expect(throwing: .modelUnknown) { _ = try await newer.answerRequest(target()) }
        #expect(try await engine.answerRequest(again).outcome == .noNewValue)
        #expect(try await engine.answerRequest(again).outcome == .ok)
        #expect(try await newer.answerRequest(target()).outcome == .noNewValue)
        await expect(throwing: .modelUnknown) { _ = try await engine.answerRequest(target()) }
        await store.put("v2/com.example.game/user", [255] + Array("xyz".utf8))
        await expect(throwing: .recordTooNew) { _ = try await engine.answerRequest(target()) }
        try await engine.forget("v2/com.example.game/user")
        #expect(try await engine.answerRequest(target()).outcome == .noNewValue)
    }

    @Test func whatIsNoRequestIsRefused() async throws {
        let engine = try Engine(models: [try model()])
        let long = "/api/v2/conversion_value?" + String(repeating: "x", count: 65536)
        for target in ["", "/", "/api/v1/conversion_value", long] {
            await expect(throwing: .invalidArgument) { _ = try await engine.answerRequest(target) }
        }
        let asking = try Engine(.asking) { _ in [] }
        await expect(throwing: .misuse) { _ = try await asking.answerRequest(target()) }
    }
}

import Foundation
import SKAN
import Testing

/// Rules, "Endpoint decisions": an endpoint decides as an app's own models do. The same life with models, and with an
/// endpoint that has them, has the same details at each step.
struct EndpointLivesTests {
    /// Counts sessions, events and revenue, and locks.
    private static let counting = """
        {"schema":1,"id":"counting","currency":"USD","rates":{"EUR":"1.09"},"raise_only":true,"windows":[\
        {"rules":[{"fine":0,"coarse":0,"when":{}},{"fine":4,"coarse":0,"when":{"sessions":{"min":3}}},\
        {"fine":9,"coarse":1,"when":{"events":[{"name":"win","min_count":2}]}},\
        {"fine":20,"coarse":2,"when":{"revenue":{"kind":"all","scope":"window","min":5}}},\
        {"fine":63,"coarse":2,"lock":true,"when":{"revenue":{"kind":"iap","scope":"lifetime","min":90}}}]},\
        {"rules":[{"coarse":0,"when":{"sessions":{"min":2}}},\
        {"coarse":2,"lock":true,"when":{"events":[{"name":"win"}],"day":{"min":4}}}]},\
        {"rules":[{"coarse":1,"when":{}},{"coarse":2,"when":{"revenue":{"kind":"ad","scope":"window","min":1}}}]}]}
        """
    /// Lowers too, and gives no coarse value.
    private static let lowering = """
        {"schema":1,"id":"lowering","raise_only":false,"windows":[{"rules":[{"fine":30,"when":{}},\
        {"fine":12,"when":{"sessions":{"min":2}}},{"fine":40,"coarse":1,"when":{"events":[{"name":"win"}]}}]},\
        {"rules":[{"coarse":2,"when":{}},{"coarse":0,"when":{"sessions":{"min":2}}}]},{"rules":[]}]}
        """
    private static let skan3 = """
        {"schema":1,"id":"three","protocol":3,"currency":"USD","windows":[{"rules":[\
        {"fine":3,"when":{"sessions":{"min":2}}},{"fine":8,"when":{"events":[{"name":"win"}]}},\
        {"fine":33,"when":{"revenue":{"kind":"iap","scope":"lifetime","min":10}}}]}]}
        """

    @Test(arguments: [(counting, ProtocolVersion.skan4), (lowering, .skan4), (skan3, .skan3)])
    func anEndpointDecidesAsModelsDo(_ json: String, _ version: ProtocolVersion) async throws {
        let model = try ConversionModel(json: Data(json.utf8))
        var chance = SeededNumbers(state: 20_260_101)
        var values = 0
        for _ in 0..<25 { values += try await live(version, model, &chance) }
        #expect(values > 25)
    }

    /// How many values a life gives.
    private func live(
        _ version: ProtocolVersion, _ model: ConversionModel, _ chance: inout SeededNumbers
    ) async throws -> Int {
        let clock = TestClock(seconds: 1_700_000_000)
        let plain = Configuration(protocolVersion: version)
        let decides = try Engine(plain, models: [model], clock: clock.hook)
        let answers = try Engine(plain, models: [model], clock: clock.hook)
        let app = Configuration(
            protocolVersion: version, endpointURL: "https://skan.example.com", sdkKey: "key",
            bundleID: "com.example.game", appVersion: "1")
        let asks = try Engine(
            app,
            transport: { url in
                let path = try #require(url.range(of: "/api/"))
                return Array(try await answers.answerRequest(String(url[path.lowerBound...])).json.utf8)
            }, clock: clock.hook)
        let device = Device(osVersion: "17.2", idfv: "user +&=%")
        for engine in [decides, asks] { try await engine.register("a") }
        var values = 0
        for step in 0..<60 {
            let pauses = [0, 1, 60, 3600, 30_000, 86_399, 90_000, 200_000]
            clock.seconds += Int64(pauses[Int.random(in: 0...(version == .skan4 ? 7 : 4), using: &chance)])
            let event = [nil, "win", "lose", "__SESSION__"].randomElement(using: &chance) ?? nil
            let cents = Bool.random(using: &chance) ? Int.random(in: -200...823, using: &chance) : nil
            let currency = ["USD", "EUR", "XTS"].randomElement(using: &chance) ?? ""
            let isAd = version == .skan4 && Bool.random(using: &chance)
            var outcomes: [Outcome] = []
            for engine in [decides, asks] {
                if let cents {
                    let amount = Double(cents) / 100
                    try await engine.updateRevenue("a", amount: amount, currency: currency, kind: isAd ? .ad : .iap)
                }
                outcomes.append(try await engine.updateConversionValues("a", Event(event, device: device)).outcome)
            }
            if outcomes[0] == .ok { values += 1 }
            // An endpoint has no word for a locked window: there is no value.
            if outcomes[0] == .windowLocked { outcomes[0] = .noNewValue }
            #expect(outcomes[0] == outcomes[1], "step \(step)")
            #expect(try await decides.details("a") == asks.details("a"), "step \(step)")
        }
        return values
    }
}

/// Random numbers that are the same in every run.
private struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_F491_4F6C_DD1D
    }
}

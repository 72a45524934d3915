import Foundation
import SKAN
import Synchronization
import Testing

/// Rules, "Repeated requests", "Lost answers": where answers are lost and every event is repeated with its id until it
/// is answered, an install ends as it would with the same models of its own.
struct LostAnswersTests {
    private static let counting = """
        {"schema":1,"id":"counting","currency":"USD","raise_only":true,"measures":{"paid":{"sum":["buy"]}},"windows":[\
        {"rules":[{"fine":0,"coarse":0,"when":{}},{"fine":4,"coarse":0,"when":{"sessions":{"min":3}}},\
        {"fine":9,"coarse":1,"when":{"events":[{"name":"win","min_count":4}]}},\
        {"fine":20,"coarse":2,"when":{"measures":[{"name":"paid","min":50}]}},\
        {"fine":21,"coarse":2,"lock":true,"when":{"measures":[{"name":"paid","min":90}]}}]},\
        {"rules":[{"coarse":0,"when":{"sessions":{"min":2}}},\
        {"coarse":2,"lock":true,"when":{"events":[{"name":"win","min_count":3}]}}]},{"rules":[{"coarse":1,"when":{}}]}]}
        """
    private static let lowering = """
        {"schema":1,"id":"lowering","raise_only":false,"currency":"USD","windows":[{"rules":[{"fine":30,"when":{}},\
        {"fine":12,"when":{"sessions":{"min":2}}},{"fine":40,"coarse":1,"when":{"revenue":{"kind":"iap","min":30}}},\
        {"fine":7,"coarse":0,"when":{"revenue":{"kind":"iap","min":60}}}]},\
        {"rules":[{"coarse":2,"when":{}},{"coarse":0,"when":{"sessions":{"min":2}}}]},{"rules":[]}]}
        """

    /// Each event is repeated until it is answered, before the next.
    @Test(arguments: [counting, lowering]) func repeatsCountOnce(_ json: String) async throws {
        var chance = SeededNumbers(state: 20_261_128)
        for _ in 0..<15 {
            let life = try await Life(json)
            for step in 0..<40 {
                life.clock.seconds += Int64.random(in: 0...15_000, using: &chance)
                let event = Life.event(step, &chance)
                let expected = try await life.decides.updateConversionValues("a", event).outcome
                life.losses = Int.random(in: 0...3, using: &chance)
                let outcome = try await life.askUntilAnswered(event)
                // An endpoint has no word for a locked window: there is no value.
                #expect(outcome == (expected == .windowLocked ? .noNewValue : expected), "step \(step)")
                let details = try await life.decides.details("a")
                #expect(try await life.asks.details("a") == details, "step \(step)")
            }
            #expect(try await life.countsThere() == life.counts(), "\(json)")
        }
    }

    /// Other events come in between, some of them lost too. Once every event is answered, the values are those of the
    /// models, and so is everything that was counted.
    @Test(arguments: [counting, lowering]) func lateRepeatsCountOnce(_ json: String) async throws {
        var chance = SeededNumbers(state: 20_261_129)
        for _ in 0..<15 {
            let life = try await Life(json)
            for round in 0..<8 {
                life.clock.seconds += Int64.random(in: 0...80_000, using: &chance)
                var left: [Event] = []
                for step in 0..<5 {
                    let event = Life.event(round * 5 + step, &chance)
                    _ = try await life.decides.updateConversionValues("a", event)
                    life.losses = Int.random(in: 0...1, using: &chance)
                    if try await life.ask(event) == nil { left.append(event) }
                }
                left.shuffle(using: &chance)
                for event in left { _ = try await life.askUntilAnswered(event) }
                let expected = try await life.value(of: life.decides)
                #expect(try await life.value(of: life.asks) == expected, "round \(round)")
                #expect(try await life.countsThere() == life.counts(), "round \(round)")
            }
        }
    }
}

/// The same life with models of its own, and with an endpoint that has them and whose answers may be lost.
private final class Life: Sendable {
    let clock = TestClock(seconds: 1_700_000_000)
    let decides: Engine
    let asks: Engine
    private let answers: Engine
    private let lost: Losses

    private final class Losses: Sendable {
        let left = Mutex(0)
    }

    /// How many of the next answers are lost.
    var losses: Int {
        get { lost.left.withLock { $0 } }
        set { lost.left.withLock { $0 = newValue } }
    }

    init(_ json: String) async throws {
        let model = try ConversionModel(json: Data(json.utf8))
        let answers = try Engine(Configuration(), models: [model], clock: clock.hook)
        let lost = Losses()
        decides = try Engine(Configuration(), models: [model], clock: clock.hook)
        let app = Configuration(
            endpointURL: "https://skan.example.com", sdkKey: "key", bundleID: "com.example.game", appVersion: "1")
        asks = try Engine(
            app,
            transport: { url in
                let path = try #require(url.range(of: "/api/"))
                let json = try await answers.answerRequest(String(url[path.lowerBound...])).json
                let isLost = lost.left.withLock { left in
                    defer { left = max(left - 1, 0) }
                    return left > 0
                }
                if isLost { throw SKANError(.transportUnknown, "lost") }
                return Array(json.utf8)
            }, clock: clock.hook)
        (self.answers, self.lost) = (answers, lost)
        for engine in [decides, asks] { try await engine.register("a") }
    }

    static func event(_ number: Int, _ chance: inout SeededNumbers) -> Event {
        let id = "event \(number) +%&"
        let device = Device(osVersion: "17.2", idfv: "user")
        switch Int.random(in: 0...3, using: &chance) {
        case 0: return Event(eventID: id, device: device)
        case 1: return Event("win", eventID: id, device: device)
        default:
            let cents = Int.random(in: -400...900, using: &chance)
            return Event("buy", eventID: id, device: device, amount: Double(cents) / 100, currency: "USD")
        }
    }

    /// nil if the answer was lost.
    func ask(_ event: Event) async throws -> Outcome? {
        do {
            return try await asks.updateConversionValues("a", event).outcome
        } catch SKANError.Code.transportUnknown {
            return nil
        }
    }

    func askUntilAnswered(_ event: Event) async throws -> Outcome {
        while true {
            if let outcome = try await ask(event) { return outcome }
        }
    }

    /// What Apple would be told: the values and locks of all windows.
    func value(of engine: Engine) async throws -> String {
        let details = try await engine.details("a")
        let windows = details.windows.map { "\($0.coarseValue.map { "\($0)" } ?? "-") \($0.lockTimestamp != nil)" }
        return "\(details.fineValue ?? -1) \(windows)"
    }

    /// What the models have counted, at the endpoint and here.
    func countsThere() async throws -> NSDictionary { try await counts(answers, "v2/com.example.game/user") }
    func counts() async throws -> NSDictionary { try await counts(decides, "a") }

    private func counts(_ engine: Engine, _ id: String) async throws -> NSDictionary {
        let json = try #require(try await engine.explanation(id).json)
        let document = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        return ["sessions", "events", "measures"].reduce(into: NSMutableDictionary()) { $0[$1] = document[$1] }
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

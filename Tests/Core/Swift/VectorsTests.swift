import Foundation
import SKAN
import Testing

/// Runs Tests/Vectors through the public interface: every step of every trace, field by field.
struct VectorsTests {
    enum Manner: CaseIterable {
        /// Runs on a store of the host's, with amounts as `Double`.
        case onHostStore
        /// Runs on a `MemoryStore`, with amounts as `Amount`.
        case inMemory
    }

    @Test(arguments: Manner.allCases)
    func everyStepOfEveryTrace(_ manner: Manner) async throws {
        let (traces, stepCount) = try Trace.all.get()
        var count = 0
        for trace in traces {
            try await TraceRun(trace, manner).run()
            count += trace.steps.count
        }
        #expect(count == stepCount)
        print("vectors \(manner): \(traces.count) traces, \(count) steps")
    }
}

/// One trace, being run.
private final class TraceRun {
    let trace: Trace
    let manner: VectorsTests.Manner
    let clock = TestClock(seconds: 0)
    let store: any Store
    let models: [ConversionModel]
    var engine: Engine
    private var tickets: [String: UInt64] = [:]
    private var newestTicket: UInt64 = 0
    /// The details as they have to be now, by install.
    private var details: [String: String] = [:]
    /// The message of the error of the step that is run.
    private var message = ""

    static let device = Device(
        osVersion: "16.1", idfv: "21DB6612-09B3-4ECC-84AC-B353B0AF1334", idfa: "DFC5A647-9043-4699-B2A5-76F03A97064B")

    init(_ trace: Trace, _ manner: VectorsTests.Manner) throws {
        self.trace = trace
        self.manner = manner
        store = manner == .inMemory ? MemoryStore() : HostStore()
        let models = try trace.models.map { model in
            if let document = model["document"]?.text { return try ConversionModel(json: document.utf8) }
            let file = testsFolder.deletingLastPathComponent().appending(path: try #require(model["file"]?.text))
            return try ConversionModel(json: Data(contentsOf: file))
        }
        self.models = models
        engine = try TraceRun.engine(trace, trace.listed.map { models[$0] }, store, clock)
    }

    private static func engine(
        _ trace: Trace, _ models: [ConversionModel], _ store: any Store, _ clock: TestClock
    ) throws -> Engine {
        let configuration = Configuration(
            protocolVersion: trace.protocolVersion, sdkKey: "sdk_key_here", bundleID: "com.example.game",
            appVersion: "1.2.3")
        return try Engine(configuration, store: store, models: models, clock: clock.hook)
    }

    func run() async throws {
        for (number, step) in trace.steps.enumerated() {
            let place = "\(trace.id), \(manner), step \(number), \(step.name) \(step.op.plain)"
            let came = try await answer(step)
            #expect(step.answer == came, "\(place): \(message)")
            compareMessage(step, place)
            try await compareDetails(step, place)
        }
    }

    // MARK: Comparing

    /// A text is the whole message; of a list the message begins with the first text and holds the others.
    private func compareMessage(_ step: Trace.Step, _ place: String) {
        guard let expected = step.expected["message"] else { return }
        if let text = expected.text {
            #expect(message == text, "\(place)")
            return
        }
        let parts = expected.items.map { $0.text ?? "" }
        #expect(message.hasPrefix(parts[0]), "\(place)")
        for part in parts.dropFirst() { #expect(message.contains(part), "\(place)") }
    }

    /// Where a step says nothing of the details, they are as they were.
    private func compareDetails(_ step: Trace.Step, _ place: String) async throws {
        let came = try await engine.details(step.install)
        let expected = try step.expected["details"]?.plain ?? details[step.install] ?? JSON(came.json.utf8).emptied
        details[step.install] = expected
        #expect(came.json == expected, "\(place)")
        guard step.expected["details"] != nil else { return }
        #expect(try Details(json: came.json.utf8, protocolVersion: came.protocolVersion) == came, "\(place)")
        #expect(try JSONDecoder().decode(Details.self, from: JSONEncoder().encode(came)) == came, "\(place)")
    }

    /// What the call of a step answers, in the words of the traces.
    private func answer(_ step: Trace.Step) async throws -> [String: String] {
        message = ""
        do {
            return try await call(step)
        } catch let error as SKANError {
            message = error.message
            return ["status": name(error.code)]
        }
    }

    // MARK: Steps

    private func call(_ step: Trace.Step) async throws -> [String: String] {
        let op = step.op
        let event = op["event"]?.text
        switch step.name {
        case "now": return try now(op)
        case "reopen": return try reopen(op)
        case "register": return came(try await engine.register(op.install))
        case "revenue": return ["status": name(try await revenue(op))]
        case "revenue_many": return try await revenueMany(op)
        case "request": return try await request(op, event)
        case "apply":
            let ticket = op["ticket"]?.text.flatMap { tickets[$0] } ?? 0
            return came(try await engine.applyResponse(op.install, ticket: ticket, body: op.body))
        case "update":
            return came(try await update(op, event))
        case "explain":
            let result = try await engine.explanation(op.install)
            return ["status": name(result.outcome), "json": result.json].compactMapValues { $0 }
        case "decode": return try decode(op)
        case "model": _ = try ConversionModel(json: op.body)
        case "pending":
            guard let update = try await engine.pendingUpdate(op.install) else { return ["status": "NOTHING_PENDING"] }
            return ["status": "OK", "update": text(update)]
        case "acknowledge":
            let id = try #require(op["id"]?.integer)
            let delivered = try #require(op["delivered"]?.bool as Bool?)
            try await engine.acknowledgeUpdate(op.install, id: UInt64(id), delivered: delivered)
        case "metadata": return ["status": "OK", "query": try await engine.metadata(op.install)]
        case "details": _ = try await engine.details(op.install)
        case "import": return ["status": name(try await engine.importDetails(op.install, json: op.body))]
        case "forget": try await engine.forget(op.install)
        default: throw Trace.Malformed(what: "no such operation: \(step.name)")
        }
        return ["status": "OK"]
    }

    private func now(_ op: JSON) throws -> [String: String] {
        clock.seconds = try #require(op["t"]?.integer)
        return [:]
    }

    private func reopen(_ op: JSON) throws -> [String: String] {
        clock.microseconds += 1000
        let listed = op["models"]?.integers ?? trace.listed
        engine = try TraceRun.engine(trace, listed.map { models[$0] }, store, clock)
        newestTicket = 0
        return ["status": "OK"]
    }

    /// The amount as `Amount` where the trace gives it as text, or for the `MemoryStore`.
    private func item(_ op: JSON) throws -> (amount: Amount?, number: Double, currency: String, isAd: Bool) {
        let number = try #require(op["amount"]?.number)
        let text = op["amount_text"]?.text ?? (manner == .inMemory ? number : nil)
        return (
            text.flatMap { Amount($0) }, try #require(Double(number)), try #require(op["currency"]?.text),
            op["ad_monetization"]?.bool ?? false
        )
    }

    private func revenue(_ op: JSON) async throws -> Outcome {
        let (amount, number, currency, isAd) = try item(op)
        let event = op["event_id"]?.text
        guard let amount else {
            return try await engine.updateRevenue(
                op.install, amount: number, currency: currency, adMonetization: isAd, eventID: event)
        }
        return try await engine.updateRevenue(
            op.install, amount: amount, currency: currency, adMonetization: isAd, eventID: event)
    }

    private func update(_ op: JSON, _ event: String?) async throws -> UpdateResult {
        let eventID = op["event_id"]?.text
        guard op["amount"]?.number != nil else {
            return try await engine.updateConversionValues(op.install, event: event, eventID: eventID)
        }
        let (amount, number, currency, isAd) = try item(op)
        guard let amount else {
            return try await engine.updateConversionValues(
                op.install, event: event, eventID: eventID, amount: number, currency: currency, adMonetization: isAd)
        }
        return try await engine.updateConversionValues(
            op.install, event: event, eventID: eventID, amount: amount, currency: currency, adMonetization: isAd)
    }

    private func revenueMany(_ op: JSON) async throws -> [String: String] {
        let items = try (op["items"]?.items ?? []).map { op in
            let (amount, number, currency, isAd) = try item(op)
            let event = op["event_id"]?.text
            return amount.map {
                Revenue(op.install, amount: $0, currency: currency, adMonetization: isAd, eventID: event)
            } ?? Revenue(op.install, amount: number, currency: currency, adMonetization: isAd, eventID: event)
        }
        var status = "OK"
        var statuses: [JSON] = []
        for (index, result) in try await engine.updateRevenue(items).enumerated() {
            switch result {
            case .success(let outcome): statuses.append(.string(name(outcome)))
            case .failure(let error):
                statuses.append(.string(name(error.code)))
                if status == "OK" { (status, message) = (name(error.code), "items[\(index)]: \(error.message)") }
            }
        }
        return ["status": status, "statuses": JSON.array(statuses).plain]
    }

    private func request(_ op: JSON, _ event: String?) async throws -> [String: String] {
        let result = try await engine.conversionRequest(op.install, event: event, device: TraceRun.device)
        #expect((result.request != nil) == (result.outcome == .ok))
        guard let request = result.request else { return ["status": name(result.outcome)] }
        #expect(request.ticket > newestTicket)
        #expect(request.ticket >= clock.microseconds)
        newestTicket = request.ticket
        tickets[try #require(op["ticket"]?.text)] = request.ticket
        return ["status": "OK", "url": request.url]
    }

    private func decode(_ op: JSON) throws -> [String: String] {
        let number = try #require(op["model"]?.integer)
        let window = try #require(op["window"]?.integer)
        let coarse = op["coarse"]?.integer.flatMap { CoarseValue(rawValue: Int($0)) }
        let found = try models[Int(number)].decode(
            window: Int(window), fine: op["fine"]?.integer.map { Int($0) }, coarse: coarse)
        return found.map { ["json": $0] } ?? [:]
    }

    // MARK: Words

    private func name(_ outcome: Outcome) -> String { "\(outcome)".replacing("SKAN_", with: "") }

    private func name(_ code: SKANError.Code) -> String { "\(code)".replacing("SKAN_ERROR_", with: "") }

    private func came(_ result: UpdateResult) -> [String: String] {
        ["status": name(result.outcome), "update": result.update.map { text($0) }].compactMapValues { $0 }
    }

    private func text(_ update: Update) -> String {
        let fine = update.fineValue.map { "\($0)" } ?? "null"
        let coarse = update.coarseValue.map { "\($0.rawValue)" } ?? "null"
        return "{\"id\":\(update.id),\"window\":\(update.window),\"fine_value\":\(fine),\"coarse_value\":\(coarse),"
            + "\"lock_window\":\(update.locksWindow),\"timestamp\":\(update.timestamp)}"
    }
}

extension JSON {
    /// A document with the same keys, and all values null.
    fileprivate var emptied: String {
        guard case .object(let members) = self else { return "" }
        return JSON.object(members.map { ($0.key, .null) }).plain
    }
}

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
    /// What the transport finds.
    let body = AnswerBody()
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
        engine = try TraceRun.engine(
            trace, trace.listed.map { models[$0] }, trace.reengagementListed.map { models[$0] }, store, clock, body)
    }

    private static func engine(
        _ trace: Trace, _ models: [ConversionModel], _ reengagementModels: [ConversionModel], _ store: any Store,
        _ clock: TestClock, _ body: AnswerBody
    ) throws -> Engine {
        let configuration = Configuration(
            protocolVersion: trace.protocolVersion, endpointURL: Configuration.singularEndpointURL,
            sdkKey: "sdk_key_here", bundleID: "com.example.game", appVersion: "1.2.3")
        let reengagements = Reengagements(
            models: reengagementModels, credit: trace.creditsNewest ? .newest : .all,
            cooldownHours: trace.cooldownHours)
        let answer: Engine.Transport = { _ in try body.get() }
        let transport = trace.hasTransport ? answer : nil
        return try Engine(
            configuration, store: store, models: models, reengagements: reengagements, transport: transport,
            clock: clock.hook)
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
        if trace.isAsked, step.name != "details" { return }
        let came = try await engine.details(step.install)
        let expected = try step.expected["details"]?.plain ?? details[step.install] ?? JSON(came.json.utf8).emptied
        details[step.install] = expected
        #expect(came.json == expected, "\(place)")
        guard step.expected["details"] != nil else { return }
        // Re-engagements are not read again.
        guard came.reengagements.isEmpty else { return }
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
        case "register": return came(try await engine.register(op.install, op.registration))
        case "revenue": return ["status": name(try await revenue(op))]
        case "revenue_many": return try await revenueMany(op)
        case "request": return try await request(op, event)
        case "apply":
            let ticket = op["ticket"]?.text.flatMap { tickets[$0] } ?? 0
            return came(try await engine.applyResponse(op.install, Event(), ticket: ticket, body: op.body))
        case "update":
            // It counts for the install alone.
            let named = trace.reengagementListed.isEmpty ? 0 : Event.installAlone
            return came(try await update(op, event, reengagement: named))
        case "reengage", "update_all", "calls", "acknowledge_calls", "end", "reengagements", "explain_reengagement":
            return try await reengagementCall(step, event)
        case "explain":
            let result = try await engine.explanation(op.install)
            return ["status": name(result.outcome), "json": result.json].compactMapValues { $0 }
        case "decode": return try decode(op)
        case "model": _ = try ConversionModel(json: op.body)
        case "pending":
            return try await pending(step)
        case "acknowledge":
            let id = try #require(op["id"]?.integer)
            let delivered = try #require(op["delivered"]?.bool as Bool?)
            try await engine.acknowledgeCalls(op.install, [(UInt64(id), delivered ? .delivered : .failed)])
        case "metadata": return ["status": "OK", "query": try await engine.metadata(op.install)]
        case "details": _ = try await engine.details(op.install)
        case "import": return ["status": name(try await engine.importDetails(op.install, json: op.body))]
        case "forget": try await engine.forget(op.install)
        case "rename":
            return ["status": name(try await engine.rename(op.install, to: try #require(op["to"]?.text)))]
        default: throw Trace.Malformed(what: "no such operation: \(step.name)")
        }
        return ["status": "OK"]
    }

    private func reengagementCall(_ step: Trace.Step, _ event: String?) async throws -> [String: String] {
        let op = step.op
        let number = UInt32(op["number"]?.integer ?? 0)
        switch step.name {
        case "reengage":
            let (outcome, number) = try await engine.reengage(op.install, op.report)
            return number == 0 ? ["status": name(outcome)] : ["status": name(outcome), "number": "\(number)"]
        case "update_all":
            body.text = op["body"]?.text
            let named = UInt32(op["reengagement"]?.integer ?? 0)
            return ["status": name(try await update(op, event, reengagement: named).outcome)]
        case "calls":
            let calls = try await engine.pendingCalls(op.install, osVersion: op["os_version"]?.text)
            let texts = calls.map { text($0) }
            return ["status": calls.isEmpty ? "NOTHING_PENDING" : "OK", "calls": "[\(texts.joined(separator: ","))]"]
        case "acknowledge_calls":
            try await engine.acknowledgeCalls(op.install, try (op["results"]?.items ?? []).map { try result($0) })
            return ["status": "OK"]
        case "end": return ["status": name(try await engine.endReengagement(op.install, number: number))]
        case "reengagements":
            let kept = try await engine.reengagements(op.install)
            let details = try await engine.details(op.install)
            #expect(kept == details.reengagements)
            let json = details.json.range(of: "\"reengagements\":").map { details.json[$0.upperBound...].dropLast() }
            return ["status": "OK", "json": json.map(String.init) ?? "[]"]
        default:
            guard number != 0 else { return ["status": "INVALID_ARGUMENT"] }
            let found = try await engine.explanation(op.install, reengagement: number)
            return ["status": name(found.outcome), "json": found.json].compactMapValues { $0 }
        }
    }

    private func result(_ json: JSON) throws -> (id: UInt64, result: CallResult) {
        let names = ["failed", "delivered", "invalid tag", "tag not supported"]
        let number = try #require(names.firstIndex(of: json["result"]?.text ?? ""))
        return (UInt64(try #require(json["id"]?.integer)), try #require(CallResult(rawValue: Int32(number))))
    }

    private func text(_ call: AppCall) -> String {
        let coarse = call.coarseValue.map { "\($0.rawValue)" } ?? "null"
        let type = call.conversionType.map { "\"\($0.rawValue)\"" } ?? "null"
        let tag = call.tag.map { "\"\($0)\"" } ?? "null"
        return "{\"id\":\(call.id),\"conversion\":\(call.conversion),\"framework\":\"\(call.framework.rawValue)\","
            + "\"types\":\(type),\"window\":\(call.window),\"fine_value\":\(call.fineValue),"
            + "\"coarse_value\":\(coarse),\"lock_window\":\(call.locksWindow),\"timestamp\":\(call.timestamp),"
            + "\"valid_until\":\(call.validUntil),\"tag\":\(tag)}"
    }

    private func now(_ op: JSON) throws -> [String: String] {
        clock.seconds = try #require(op["t"]?.integer)
        return [:]
    }

    private func reopen(_ op: JSON) throws -> [String: String] {
        clock.microseconds += 1000
        let listed = op["models"]?.integers ?? trace.listed
        let reengagementListed = op["reengagement_models"]?.integers ?? trace.reengagementListed
        engine = try TraceRun.engine(
            trace, listed.map { models[$0] }, reengagementListed.map { models[$0] }, store, clock, body)
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
        if let named = op["reengagement"]?.integer {
            var revenue =
                amount.map {
                    Revenue(op.install, amount: $0, currency: currency, kind: isAd ? .ad : .iap, eventID: event)
                } ?? Revenue(op.install, amount: number, currency: currency, kind: isAd ? .ad : .iap, eventID: event)
            revenue.reengagement = UInt32(named)
            return try await engine.updateRevenue(revenue)
        }
        guard let amount else {
            return try await engine.updateRevenue(
                op.install, amount: number, currency: currency, kind: isAd ? .ad : .iap, eventID: event)
        }
        return try await engine.updateRevenue(
            op.install, amount: amount, currency: currency, kind: isAd ? .ad : .iap, eventID: event)
    }

    private func update(_ op: JSON, _ name: String?, reengagement: UInt32) async throws -> UpdateResult {
        let id = op["event_id"]?.text
        var event = Event(name, eventID: id)
        if op["amount"]?.number != nil {
            let (amount, number, currency, isAd) = try item(op)
            let kind: RevenueKind = isAd ? .ad : .iap
            event =
                amount.map { Event(name, eventID: id, amount: $0, currency: currency, kind: kind) }
                ?? Event(name, eventID: id, amount: number, currency: currency, kind: kind)
        }
        event.reengagement = reengagement
        return try await engine.updateConversionValues(op.install, event)
    }

    /// The call to SKAdNetwork that waits, as the update that it carries. Where an update has no fine value, the call has
    /// the install's present one.
    private func pending(_ step: Trace.Step) async throws -> [String: String] {
        guard let call = try await engine.waitingCall(step.install) else { return ["status": "NOTHING_PENDING"] }
        var fine: Int? = call.fineValue
        if let expected = step.expected["update"], expected["fine_value"]?.integer == nil {
            #expect(call.fineValue == (try await engine.details(step.install)).fineValue ?? 0)
            fine = nil
        }
        let update = text(call.id, call.window, fine, call.coarseValue, call.locksWindow, call.timestamp)
        return ["status": "OK", "update": update]
    }

    private func revenueMany(_ op: JSON) async throws -> [String: String] {
        let items = try (op["items"]?.items ?? []).map { op in
            let (amount, number, currency, isAd) = try item(op)
            let event = op["event_id"]?.text
            return amount.map {
                Revenue(op.install, amount: $0, currency: currency, kind: isAd ? .ad : .iap, eventID: event)
            } ?? Revenue(op.install, amount: number, currency: currency, kind: isAd ? .ad : .iap, eventID: event)
        }
        var status = "OK"
        var statuses: [JSON] = []
        for (index, result) in try await engine.updateRevenueMany(items).enumerated() {
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
        let result = try await engine.conversionRequest(op.install, Event(event, device: TraceRun.device))
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
        let update = result.update.map {
            text($0.id, $0.window, $0.fineValue, $0.coarseValue, $0.locksWindow, $0.timestamp)
        }
        return ["status": name(result.outcome), "update": update].compactMapValues { $0 }
    }

    /// An update as the traces have it.
    private func text(
        _ id: UInt64, _ window: Int, _ fine: Int?, _ coarse: CoarseValue?, _ locks: Bool, _ timestamp: Int64
    ) -> String {
        let fine = fine.map { "\($0)" } ?? "null"
        let coarse = coarse.map { "\($0.rawValue)" } ?? "null"
        return "{\"id\":\(id),\"window\":\(window),\"fine_value\":\(fine),\"coarse_value\":\(coarse),"
            + "\"lock_window\":\(locks),\"timestamp\":\(timestamp)}"
    }
}

/// The body of an endpoint's answer; without one it fails.
private final class AnswerBody: @unchecked Sendable {
    var text: String?

    func get() throws -> [UInt8] {
        guard let text else { throw Trace.Malformed(what: "no answer") }
        return Array(text.utf8)
    }
}

extension JSON {
    fileprivate var registration: Registration {
        Registration(
            firstLaunch: self["first_launch"]?.integer ?? 0, beginsAgain: self["begins_again"]?.bool ?? false,
            keepsRevenue: self["keeps_revenue"]?.bool ?? false)
    }

    fileprivate var report: ReengagementReport {
        var report = ReengagementReport(openID: self["open_id"]?.text)
        report.tag = self["tag"]?.text
        report.reference = self["reference"]?.text
        report.openedAt = self["opened_at"]?.integer ?? 0
        report.isStarted = self["is_started"]?.bool ?? false
        report.isOverlapping = self["is_overlapping"]?.bool ?? false
        report.osVersion = self["os_version"]?.text
        return report
    }

    /// A document with the same keys, and all values null.
    fileprivate var emptied: String {
        guard case .object(let members) = self else { return "" }
        return JSON.object(members.map { ($0.key, .null) }).plain
    }
}

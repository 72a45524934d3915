import Foundation
import SKAN
import Testing

/// Runs all traces of Tests/Vectors through the public interface and compares every step, field by field.
struct VectorsTests {
    enum Manner: CaseIterable {
        /// On one `MemoryStore`, which `reopen` gives to a new engine.
        case inMemory
        /// On a store of the host's.
        case onHostStore
        /// On a store of the host's, with `updateConversionValues` in place of each request whose answer is applied
        /// next and once, and with amounts as `Amount` in place of `Double`.
        case inOneCall
    }

    @Test(arguments: Manner.allCases)
    func skan4(_ manner: Manner) async throws { try await run(TraceFile.skan4.get(), manner) }

    @Test(arguments: Manner.allCases)
    func skan3(_ manner: Manner) async throws { try await run(TraceFile.skan3.get(), manner) }

    private func run(_ file: TraceFile, _ manner: Manner) async throws {
        var stepsRun = 0
        var callsInOne = 0
        for trace in file.traces {
            let run = try TraceRun(trace, manner)
            try await run.run()
            stepsRun += run.stepsRun
            callsInOne += run.callsInOne
        }
        #expect(file.traces.count == file.lineCount)
        #expect(stepsRun == file.stepCount)
        #expect(callsInOne > 0 || manner != .inOneCall)
    }
}

/// One trace, being run.
private final class TraceRun {
    let trace: Trace
    let manner: VectorsTests.Manner
    let clock = TestClock()
    let store: any Store
    let endpoint = Endpoint()
    var engine: Engine
    var tickets: [String: UInt64] = [:]
    var newestTicket: UInt64 = 0
    /// The details as they have to be now.
    var details: String
    var updateTimestamp: Int64 = 0
    var stepsRun = 0
    var callsInOne = 0
    /// Said with each failure.
    var place: Comment = ""

    static let install = "install-1"
    static let device = Device(
        osVersion: "16.1", idfv: "21DB6612-09B3-4ECC-84AC-B353B0AF1334", idfa: "DFC5A647-9043-4699-B2A5-76F03A97064B")

    init(_ trace: Trace, _ manner: VectorsTests.Manner) throws {
        self.trace = trace
        self.manner = manner
        store = manner == .inMemory ? MemoryStore() : HostStore()
        engine = try TraceRun.engine(trace, store, endpoint, clock)
        details = trace.protocolVersion == 4 ? emptySKAN4 : emptySKAN3
    }

    private static func engine(
        _ trace: Trace, _ store: any Store, _ endpoint: Endpoint, _ clock: TestClock
    ) throws -> Engine {
        let version = try #require(ProtocolVersion(rawValue: trace.protocolVersion))
        let configuration = Configuration(
            protocolVersion: version, sdkKey: "sdk_key_here", bundleID: "com.example.game", appVersion: "1.2.3")
        return try Engine(configuration, store: store, transport: endpoint.transport, clock: clock.hook)
    }

    func run() async throws {
        var index = 0
        while index < trace.steps.count {
            place = "\(trace.id), step \(index), \(trace.steps[index].op.plain)"
            if manner == .inOneCall, trace.isAnsweredAtOnce(index) {
                try await requestAndApply(trace.steps[index], trace.steps[index + 1])
                callsInOne += 1
                stepsRun += 2
                index += 2
            } else {
                try await run(trace.steps[index])
                stepsRun += 1
                index += 1
            }
            try await compareDetails(trace.steps[index - 1])
        }
    }

    // MARK: Steps

    private func run(_ step: Trace.Step) async throws {
        switch step.name {
        case "now": clock.seconds = try #require(step.op["t"]?.integer, place)
        case "reopen":
            clock.microseconds += 1000
            engine = try TraceRun.engine(trace, store, endpoint, clock)
            newestTicket = 0
        case "register": await compare(step) { try await engine.register(TraceRun.install) }
        case "revenue": try await revenue(step)
        case "request": try await request(step)
        case "apply":
            let ticket = step.op["ticket"]?.text.flatMap { tickets[$0] } ?? 0
            await compare(step) {
                try await engine.applyResponse(TraceRun.install, ticket: ticket, body: step.body)
            }
        case "pending": await pending(step)
        case "acknowledge":
            let id = try #require(step.op["id"]?.integer, place)
            let delivered = try #require(step.op["delivered"]?.bool as Bool?, place)
            await compareStatus(step) {
                try await engine.acknowledgeUpdate(TraceRun.install, id: UInt64(id), delivered: delivered)
                return .ok
            }
        case "metadata":
            await compareStatus(step) {
                let query = try await engine.metadata(TraceRun.install)
                #expect(query == step.query, place)
                return .ok
            }
        case "details":
            await compareStatus(step) {
                _ = try await engine.details(TraceRun.install)
                return .ok
            }
        case "import":
            await compareStatus(step) {
                try await engine.importDetails(TraceRun.install, json: step.body)
            }
        case "forget":
            await compareStatus(step) {
                try await engine.forget(TraceRun.install)
                return .ok
            }
        default: Issue.record(place)
        }
    }

    private func revenue(_ step: Trace.Step) async throws {
        let number = try #require(step.op["amount"]?.number, place)
        let double = try #require(Double(number), place)
        let currency = try #require(step.op["currency"]?.text, place)
        let isAd = step.op["ad_monetization"]?.bool ?? false
        let event = step.op["event_id"]?.text
        await compareStatus(step) {
            if manner == .inOneCall, let amount = Amount(number) {
                return try await engine.updateRevenue(
                    TraceRun.install, amount: amount, currency: currency, adMonetization: isAd, eventID: event)
            }
            return try await engine.updateRevenue(
                TraceRun.install, amount: double, currency: currency, adMonetization: isAd, eventID: event)
        }
    }

    private func request(_ step: Trace.Step) async throws {
        var request: ConversionRequest?
        await compareStatus(step) {
            let result = try await engine.conversionRequest(
                TraceRun.install, event: step.op["event"]?.text, device: TraceRun.device)
            request = result.request
            return result.outcome
        }
        #expect((request != nil) == (step.status == "OK"), place)
        guard let request else { return }
        #expect(request.url == step.url, place)
        #expect(request.ticket > newestTicket, place)
        #expect(request.ticket >= clock.microseconds, place)
        newestTicket = request.ticket
        tickets[try #require(step.op["ticket"]?.text, place)] = request.ticket
    }

    private func pending(_ step: Trace.Step) async {
        await compareStatus(step) {
            let update = try await engine.pendingUpdate(TraceRun.install)
            compare(update, step)
            return update == nil ? nil : .ok
        }
    }

    private func requestAndApply(_ request: Trace.Step, _ apply: Trace.Step) async throws {
        endpoint.answer = apply.body
        await compare(apply) {
            try await engine.updateConversionValues(
                TraceRun.install, event: request.op["event"]?.text, device: TraceRun.device)
        }
        #expect(endpoint.urls.last == request.url, place)
    }

    // MARK: Comparing

    /// A call that may give an update.
    private func compare(_ step: Trace.Step, _ call: () async throws -> UpdateResult) async {
        var update: Update?
        await compareStatus(step) {
            let result = try await call()
            update = result.update
            return result.outcome
        }
        if update != nil { updateTimestamp = Int64((Double(clock.microseconds) / 1e6).rounded(.down)) }
        compare(update, step)
    }

    private func compare(_ update: Update?, _ step: Trace.Step) {
        guard let expected = step.expected["update"], let update else {
            #expect(update == nil && (step.expected["update"]?["id"] == nil), place)
            return
        }
        #expect(Int64(update.id) == expected["id"]?.integer, place)
        #expect(Int64(update.window) == expected["window"]?.integer, place)
        #expect(update.fineValue.map { Int64($0) } == expected["fine_value"]?.integer, place)
        #expect(update.coarseValue.map { Int64($0.rawValue) } == expected["coarse_value"]?.integer, place)
        #expect(update.locksWindow == expected["lock_window"]?.bool, place)
        #expect(update.timestamp == updateTimestamp, place)
    }

    /// The status, and the server's reason where the step has one. No outcome = NOTHING_PENDING.
    private func compareStatus(_ step: Trace.Step, _ call: () async throws -> Outcome?) async {
        let status: String
        do {
            status = try await call().map { "\($0)" } ?? "SKAN_NOTHING_PENDING"
            #expect(step.expected["reason"] == nil, place)
        } catch {
            guard let error = error as? SKANError else {
                Issue.record(error, place)
                return
            }
            status = "\(error.code)".replacing("SKAN_ERROR_", with: "SKAN_")
            #expect(!error.message.isEmpty, place)
            if let reason = step.expected["reason"]?.text {
                // Where the answer gave none the message is libskan's own.
                let isOwn = reason.isEmpty && error.message.contains("neither a value nor a reason")
                #expect(isOwn || error.message == reason, place)
            }
        }
        #expect(status == "SKAN_\(step.status ?? "?")", place)
    }

    /// Where a step says nothing of the details, they are as they were.
    private func compareDetails(_ step: Trace.Step) async throws {
        if let expected = step.expected["details"] { details = expected.plain }
        let came = try await engine.details(TraceRun.install)
        #expect(came.json == details, place)
        guard step.expected["details"] != nil else { return }
        #expect(try Details(json: came.json.utf8, protocolVersion: came.protocolVersion) == came, place)
        #expect(try JSONDecoder().decode(Details.self, from: JSONEncoder().encode(came)) == came, place)
    }
}

private let emptySKAN4 = """
    {"skan_current_conversion_value":null,"prev_fine_value":null,\
    "skan_first_call_to_skadnetwork_timestamp":null,"skan_last_call_to_skadnetwork_timestamp":null,\
    "skan_total_revenue_by_currency":null,"skan_total_admon_revenue_by_currency":null,\
    "p0_coarse":null,"p1_coarse":null,"p2_coarse":null,\
    "p0_window_lock":null,"p1_window_lock":null,"p2_window_lock":null,\
    "p0_prev_coarse_value":null,"p1_prev_coarse_value":null,"p2_prev_coarse_value":null,\
    "p0_total_iap_revenue":null,"p1_total_iap_revenue":null,"p2_total_iap_revenue":null,\
    "p0_total_admon_revenue":null,"p1_total_admon_revenue":null,"p2_total_admon_revenue":null}
    """

private let emptySKAN3 = """
    {"skan_conversion_value":null,"skan_first_call_to_skadnetwork_timestamp":null,\
    "skan_last_call_to_skadnetwork_timestamp":null,"skan_total_revenue_by_currency":null}
    """

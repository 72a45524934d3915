import Foundation
import SKAN
import Testing

/// Runs Tests/Vectors/models through the public interface: every step of every trace, and every document that is
/// refused.
struct ModelVectorsTests {
    @Test(arguments: ["told.jsonl", "random.jsonl"], [true, false])
    func everyStepOfEveryTrace(_ name: String, inMemory: Bool) async throws {
        let traces = try lines(name)
        #expect(traces.count > 10)
        for trace in traces {
            let run = try ModelRun(trace, inMemory ? MemoryStore() : HostStore())
            try await run.run()
        }
    }

    @Test func documentsThatBreakARule() throws {
        let documents = try lines("invalid.jsonl")
        #expect(documents.count >= 40)
        for line in documents {
            let id: Comment = "\(line["id"]?.text ?? "")"
            let document = try #require(line["body_b64"]?.text.flatMap { Data(base64Encoded: $0) }, id)
            let place = try #require(line["place"]?.text, id)
            let reason = try #require(line["reason"]?.text, id)
            do {
                _ = try ConversionModel(json: document)
                Issue.record("taken: \(id)")
            } catch let error as SKANError {
                #expect(error.code == .invalidDocument, id)
                #expect(error.message.hasPrefix("model at \"\(place)\": "), "\(id): \(error.message)")
                #expect(error.message.contains(reason), "\(id): \(error.message)")
            }
        }
    }
}

private func lines(_ name: String) throws -> [JSON] {
    let text = try Data(contentsOf: testsFolder.appending(path: "Vectors/models/\(name)"))
    return try text.split(separator: UInt8(ascii: "\n")).map { try JSON($0) }
}

/// A model as the vectors name it.
private func model(_ json: JSON) throws -> ConversionModel {
    if let document = json["document"]?.text { return try ConversionModel(json: document.utf8) }
    let file = try #require(json["file"]?.text)
    return try ConversionModel(json: Data(contentsOf: testsFolder.deletingLastPathComponent().appending(path: file)))
}

/// One trace, being run.
private final class ModelRun {
    let trace: JSON
    let store: any Store
    let clock = TestClock()
    let models: [ConversionModel]
    var engine: Engine
    var details = ""
    var place: Comment = ""

    static let install = "install-1"

    init(_ trace: JSON, _ store: any Store) throws {
        self.trace = trace
        self.store = store
        models = try (trace["models"]?.items ?? []).map { try model($0) }
        engine = try ModelRun.engine(trace, models, trace["listed"], store, clock)
    }

    private static func engine(
        _ trace: JSON, _ models: [ConversionModel], _ listed: JSON?, _ store: any Store, _ clock: TestClock
    ) throws -> Engine {
        let number = try #require(trace["protocol"]?.integer)
        let version = try #require(ProtocolVersion(rawValue: Int(number)))
        let chosen = (listed?.items ?? []).compactMap { $0.integer.map { models[Int($0)] } }
        return try Engine(
            Configuration(protocolVersion: version), store: store, models: chosen, clock: clock.hook)
    }

    func run() async throws {
        details = try await engine.details(ModelRun.install).json
        for (index, step) in (trace["steps"]?.items ?? []).enumerated() {
            let op = try #require(step["op"])
            let expected = try #require(step["expect"])
            place = "\(trace["id"]?.text ?? ""), step \(index), \(op.plain)"
            try await run(op, expected)
            if let text = expected["details"]?.text { details = text }
            let found = try await engine.details(ModelRun.install).json
            #expect(found == details, place)
        }
    }

    private func run(_ op: JSON, _ expected: JSON) async throws {
        switch op["op"]?.text {
        case "now":
            clock.seconds = try #require(op["t"]?.integer)
        case "reopen":
            engine = try ModelRun.engine(trace, models, op["models"], store, clock)
        case "decode":
            let number = try #require(op["model"]?.integer)
            let window = try #require(op["window"]?.integer)
            let found = try models[Int(number)].decode(
                window: Int(window), fine: op["fine"]?.integer.map { Int($0) },
                coarse: op["coarse"]?.integer.flatMap { CoarseValue(rawValue: Int($0)) })
            #expect(found == expected["json"]?.text, place)
        default:
            let (status, update, json) = try await answer(op)
            #expect(status == expected["status"]?.text, place)
            compare(update, expected["update"])
            #expect(json == expected["json"]?.text, place)
        }
    }

    private func compare(_ update: Update?, _ expected: JSON?) {
        guard let expected, case .object = expected else {
            #expect(update == nil, place)
            return
        }
        #expect(update?.id == expected["id"]?.integer.map { UInt64($0) }, place)
        #expect(update?.window == expected["window"]?.integer.map { Int($0) }, place)
        #expect(update?.fineValue == expected["fine_value"]?.integer.map { Int($0) }, place)
        #expect(update?.coarseValue?.rawValue == expected["coarse_value"]?.integer.map { Int($0) }, place)
        #expect(update?.locksWindow == expected["lock_window"]?.bool, place)
        #expect(update?.timestamp == expected["timestamp"]?.integer ?? clock.seconds, place)
    }

    /// What a call answers: its status without prefix, its update, its document.
    private func answer(_ op: JSON) async throws -> (String, Update?, String?) {
        let install = ModelRun.install
        do {
            switch op["op"]?.text {
            case "register":
                let result = try await engine.register(install)
                return (name(result.outcome), result.update, nil)
            case "update":
                let result = try await engine.updateConversionValues(
                    install, event: op["event"]?.text, eventID: op["event_id"]?.text)
                return (name(result.outcome), result.update, nil)
            case "revenue":
                let amount = try #require(op["amount"]?.text.flatMap { Double($0) }, place)
                let outcome = try await engine.updateRevenue(
                    install, amount: amount, currency: op["currency"]?.text ?? "",
                    adMonetization: op["ad_monetization"]?.bool ?? false)
                return (name(outcome), nil, nil)
            case "import":
                return (
                    name(try await engine.importDetails(install, json: Array((op["body"]?.text ?? "").utf8))), nil, nil
                )
            case "forget":
                try await engine.forget(install)
                return ("OK", nil, nil)
            case "explain":
                let result = try await engine.explanation(install)
                return (name(result.outcome), nil, result.json)
            default:
                Issue.record("no such operation: \(place)")
                return ("", nil, nil)
            }
        } catch let error as SKANError {
            return (error.code.description.replacingOccurrences(of: "SKAN_ERROR_", with: ""), nil, nil)
        }
    }

    private func name(_ outcome: Outcome) -> String {
        outcome.description.replacingOccurrences(of: "SKAN_", with: "")
    }
}

import Foundation
import SKAN

/// One line of Tests/Vectors: calls, and what each has to answer.
struct Trace: Sendable {
    let id: String
    let protocolVersion: ProtocolVersion
    let models: [JSON]
    let listed: [Int]
    let steps: [Step]

    struct Step: Sendable {
        let name: String
        let op: JSON
        let expected: JSON
        /// How many steps of the trace it stands for.
        var covers = 1
        var areDetailsKnown = true
    }

    /// A trace that is written otherwise than Tests/Vectors/README.md says.
    struct Malformed: Error {
        let what: String
    }

    /// All of them, and the number of their steps, counted in the text of the files apart from the reader.
    static let all = Result { () throws -> (traces: [Trace], stepCount: Int) in
        let vectors = testsFolder.appending(path: "Vectors")
        let names = try FileManager.default.contentsOfDirectory(atPath: vectors.path).filter { $0.hasSuffix(".jsonl") }
        let texts = try names.sorted().map { try Data(contentsOf: vectors.appending(path: $0)) }
        guard !texts.isEmpty, texts.allSatisfy({ !$0.isEmpty }) else { throw Malformed(what: "no vectors") }
        let traces = try texts.flatMap { try $0.split(separator: UInt8(ascii: "\n")).map { try Trace(JSON($0)) } }
        let stepCounts = texts.map {
            String(decoding: $0, as: UTF8.self).components(separatedBy: "{\"op\":{\"op\":").count - 1
        }
        return (traces, stepCounts.reduce(0, +))
    }
}

/// The folder Tests of the repository.
let testsFolder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

// MARK: Reading

private let amountFields = "install amount amount_text currency ad_monetization event_id"

private let operations = [
    "now": "t", "register": "install", "revenue": amountFields, "revenue_many": "items",
    "request": "install event ticket", "apply": "install body body_b64 ticket", "update": "install event event_id",
    "explain": "install", "decode": "model window fine coarse", "model": "body body_b64", "pending": "install",
    "acknowledge": "install id delivered", "metadata": "install", "details": "install",
    "import": "install body body_b64", "reopen": "models", "forget": "install",
]

extension JSON {
    /// A member, where it is neither absent nor null.
    fileprivate func given(_ key: String) -> JSON? {
        if case .null? = self[key] { nil } else { self[key] }
    }

    fileprivate func checkFields(_ names: String, _ what: String) throws {
        guard case .object(let members) = self else { throw Trace.Malformed(what: "\(what) is no object") }
        let known = names.split(separator: " ")
        for (key, _) in members where !known.contains(Substring(key)) {
            throw Trace.Malformed(what: "\(what) has no field \(key)")
        }
    }
}

extension Trace {
    fileprivate init(_ json: JSON) throws {
        try json.checkFields("id protocol reference models listed steps", "a trace")
        guard let id = json["id"]?.text, let number = json["protocol"]?.integer, let steps = json["steps"],
            let protocolVersion = ProtocolVersion(rawValue: Int(number))
        else { throw Malformed(what: "a trace without id, protocol or steps") }
        self.id = id
        self.protocolVersion = protocolVersion
        models = json["models"]?.items ?? []
        listed = json["listed"]?.integers ?? []
        self.steps = try steps.items.map { try Step($0) }
    }
}

extension Trace.Step {
    fileprivate init(_ json: JSON) throws {
        try json.checkFields("op expect", "a step")
        guard let op = json["op"], let expected = json["expect"], let name = op["op"]?.text,
            let fields = operations[name]
        else { throw Trace.Malformed(what: "no such step: \(json.plain)") }
        try op.checkFields("op " + fields, name)
        for item in op["items"]?.items ?? [] { try item.checkFields(amountFields, "an item") }
        self.init(name: name, op: op, expected: expected)
    }

    var status: String? { expected["status"]?.text }

    var install: String { op.install }

    /// What the call has to answer, by field: query items as the text that they make, and without what is compared
    /// apart.
    var answer: [String: String] {
        guard case .object(let members) = expected else { return [:] }
        var answer: [String: String] = [:]
        for (key, _) in members where !["path", "query", "details", "message"].contains(key) {
            answer[key] = expected.given(key).map { $0.text ?? $0.plain }
        }
        guard let items = expected["query"]?.items else { return answer }
        let query = items.map { $0.items.map { encoded($0.text ?? "") }.joined(separator: "=") }.joined(separator: "&")
        guard let path = expected["path"]?.text else { return answer.merging(["query": query]) { $1 } }
        return answer.merging(["url": "https://sdk-api-v1.singular.net\(path)?\(query)"]) { $1 }
    }
}

extension JSON {
    var integers: [Int] { items.compactMap { $0.integer.map { Int($0) } } }

    /// The install of an operation or item.
    var install: String { self["install"]?.text ?? "install-1" }

    /// The bytes of a body.
    var body: [UInt8] {
        if let base64 = self["body_b64"]?.text { return Array(Data(base64Encoded: base64) ?? Data()) }
        return Array((self["body"]?.text ?? "").utf8)
    }
}

/// All but RFC 3986's unreserved characters percent-encoded.
private func encoded(_ text: String) -> String {
    text.utf8.map { byte in
        switch UnicodeScalar(byte) {
        case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~": String(UnicodeScalar(byte))
        default: (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }
    }.joined()
}

// MARK: Together

extension Trace {
    /// The same with one call for what one can do, and many for what one did.
    var stepsTogether: [Step] {
        var made: [Step] = []
        var index = 0
        while index < steps.count {
            let amounts = steps[index...].prefix { $0.name == "revenue" }
            if amounts.count > 1 {
                made.append(Step(batchOf: Array(amounts)))
                index += amounts.count
            } else if isAnsweredAtOnce(index) {
                made.append(Step(steps[index], answeredBy: steps[index + 1]))
                index += 2
            } else {
                made += steps[index].name == "revenue_many" ? steps[index].oneByOne : [steps[index]]
                index += 1
            }
        }
        return made
    }

    /// Whether step `index` is a request that is answered by the next step and by no later one.
    private func isAnsweredAtOnce(_ index: Int) -> Bool {
        let request = steps[index]
        guard request.name == "request", request.status == "OK", let ticket = request.op["ticket"]?.text,
            steps.indices.contains(index + 1)
        else { return false }
        func isAnswer(_ step: Step) -> Bool { step.name == "apply" && step.op["ticket"]?.text == ticket }
        guard isAnswer(steps[index + 1]) else { return false }
        for later in steps[(index + 2)...] {
            if isAnswer(later) { return false }
            if later.name == "request", later.op["ticket"]?.text == ticket, later.status == "OK" { return true }
        }
        return true
    }
}

private func isError(_ status: String) -> Bool { !["OK", "DUPLICATE_EVENT"].contains(status) }

extension Trace.Step {
    fileprivate init(_ request: Trace.Step, answeredBy apply: Trace.Step) {
        func members(_ json: JSON) -> [(key: String, value: JSON)] {
            if case .object(let members) = json { members } else { [] }
        }
        let asked = members(request.expected).filter { ["path", "query"].contains($0.key) }
        self.init(
            name: "convert", op: .object(members(apply.op) + [("event", request.op["event"] ?? .null)]),
            expected: .object(members(apply.expected) + asked), covers: 2)
    }

    fileprivate init(batchOf amounts: [Trace.Step]) {
        let statuses = amounts.map { $0.status ?? "" }
        var expected: [(key: String, value: JSON)] = [
            ("status", .string(statuses.first(where: isError) ?? "OK")),
            ("statuses", .array(statuses.map { .string($0) })),
        ]
        if let details = amounts.compactMap({ $0.expected["details"] }).last { expected.append(("details", details)) }
        self.init(
            name: "revenue_many", op: .object([("items", .array(amounts.map(\.op)))]), expected: .object(expected),
            covers: amounts.count)
    }

    /// Each amount in a call of its own; the details are known again when all are counted.
    fileprivate var oneByOne: [Trace.Step] {
        var message = expected["message"]?.items.map { $0.text ?? "" } ?? []
        if !message.isEmpty { message[0] = String(message[0].drop { $0 != " " }.dropFirst()) }
        var calls: [Trace.Step] = []
        for (item, status) in zip(op["items"]?.items ?? [], expected["statuses"]?.items ?? []) {
            var told: [(key: String, value: JSON)] = [("status", status)]
            if !message.isEmpty, isError(status.text ?? "") {
                told.append(("message", .array(message.map { .string($0) })))
                message = []
            }
            calls.append(
                Trace.Step(name: "revenue", op: item, expected: .object(told), covers: 0, areDetailsKnown: false))
        }
        var details: [(key: String, value: JSON)] = [("status", .string("OK"))]
        if let after = expected["details"] { details.append(("details", after)) }
        return calls + [Trace.Step(name: "details", op: .object([]), expected: .object(details))]
    }
}

import Foundation

/// One line of Tests/Vectors: calls on one install, and what each has to answer.
struct Trace: Sendable {
    let id: String
    let protocolVersion: Int
    let steps: [Step]

    struct Step: Sendable {
        let op: JSON
        let expected: JSON

        var name: String { op["op"]?.text ?? "" }
        var status: String? { expected["status"]?.text }
    }
}

/// A file of Tests/Vectors.
struct TraceFile: Sendable {
    let name: String
    let traces: [Trace]
    /// Counted in the text of the file, apart from the reader.
    let lineCount: Int
    let stepCount: Int

    static let skan4 = Result { try TraceFile("skan4.jsonl") }
    static let skan3 = Result { try TraceFile("skan3.jsonl") }

    private init(_ name: String) throws {
        let text = try Data(contentsOf: testsFolder.appending(path: "Vectors/\(name)"))
        self.name = name
        traces = try text.split(separator: UInt8(ascii: "\n")).map { try Trace(JSON($0)) }
        lineCount = text.reduce(into: 0) { count, byte in if byte == UInt8(ascii: "\n") { count += 1 } }
        stepCount = String(decoding: text, as: UTF8.self).components(separatedBy: "{\"op\":{\"op\":").count - 1
    }
}

/// The folder Tests of the repository.
let testsFolder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

extension Trace {
    struct Incomplete: Error {}

    fileprivate init(_ json: JSON) throws {
        guard let id = json["id"]?.text, let protocolVersion = json["protocol"]?.integer else { throw Incomplete() }
        self.id = id
        self.protocolVersion = Int(protocolVersion)
        steps = try (json["steps"]?.items ?? []).map { step in
            guard let op = step["op"], let expected = step["expect"] else { throw Incomplete() }
            return Step(op: op, expected: expected)
        }
    }

    /// Whether step `index` is a request that is answered by the next step and by no later one: these two can be made
    /// in one call.
    func isAnsweredAtOnce(_ index: Int) -> Bool {
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

extension Trace.Step {
    /// The bytes of `apply` and `import`.
    var body: [UInt8] {
        if let base64 = op["body_b64"]?.text { return Array(Data(base64Encoded: base64) ?? Data()) }
        return Array((op["body"]?.text ?? "").utf8)
    }

    /// The URL of a request.
    var url: String { "https://sdk-api-v1.singular.net\(expected["path"]?.text ?? "")?\(query)" }

    /// The expected items, percent-encoded.
    var query: String {
        let items = (expected["query"]?.items ?? []).map { item in
            item.items.map { encoded($0.text ?? "") }.joined(separator: "=")
        }
        return items.joined(separator: "&")
    }
}

/// All but RFC 3986's unreserved characters percent-encoded.
private func encoded(_ text: String) -> String {
    text.utf8.map { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            String(UnicodeScalar(byte))
        default:
            (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }
    }.joined()
}

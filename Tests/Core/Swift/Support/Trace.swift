import Foundation
import SKAN

/// One line of Tests/Vectors: calls, and what each has to answer.
struct Trace: Sendable {
    let id: String
    let protocolVersion: ProtocolVersion
    let models: [JSON]
    let listed: [Int]
    let reengagementListed: [Int]
    let creditsNewest: Bool
    let cooldownHours: Int
    let hasTransport: Bool
    /// Whether details are told only where a step asks for them.
    let isAsked: Bool
    let steps: [Step]

    struct Step: Sendable {
        let name: String
        let op: JSON
        let expected: JSON
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

extension JSON {
    /// A member, where it is neither absent nor null.
    fileprivate func given(_ key: String) -> JSON? {
        if case .null? = self[key] { nil } else { self[key] }
    }
}

extension Trace {
    fileprivate init(_ json: JSON) throws {
        guard let id = json["id"]?.text, let number = json["protocol"]?.integer, let steps = json["steps"],
            let protocolVersion = ProtocolVersion(rawValue: Int(number))
        else { throw Malformed(what: "a trace without id, protocol or steps") }
        self.id = id
        self.protocolVersion = protocolVersion
        models = json["models"]?.items ?? []
        listed = json["listed"]?.integers ?? []
        reengagementListed = json["reengagement_listed"]?.integers ?? []
        creditsNewest = json["credit"]?.text == "newest"
        cooldownHours = json["cooldown_hours"]?.integer.map { Int($0) } ?? 0
        hasTransport = json["transport"]?.bool ?? false
        isAsked = json["asked"]?.bool ?? false
        self.steps = try steps.items.map { try Step($0) }
    }
}

extension Trace.Step {
    fileprivate init(_ json: JSON) throws {
        guard let op = json["op"], let expected = json["expect"], let name = op["op"]?.text else {
            throw Trace.Malformed(what: "no such step: \(json.plain)")
        }
        self.init(name: name, op: op, expected: expected)
    }

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
        let query = items.map { $0.items.map(\.encoded).joined(separator: "=") }.joined(separator: "&")
        guard let path = expected["path"]?.text else { return answer.merging(["query": query]) { $1 } }
        return answer.merging(["url": "https://sdk-api-v1.singular.net\(path)?\(query)"]) { $1 }
    }
}

extension JSON {
    var integers: [Int] { items.compactMap { $0.integer.map { Int($0) } } }

    /// The install of an operation or item.
    var install: String { self["install"]?.text ?? "install-1" }

    /// A text, all but RFC 3986's unreserved characters percent-encoded.
    fileprivate var encoded: String { text?.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "" }

    /// The bytes of a body.
    var body: [UInt8] {
        if let base64 = self["body_b64"]?.text { return Array(Data(base64Encoded: base64) ?? Data()) }
        return Array((self["body"]?.text ?? "").utf8)
    }
}

private let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

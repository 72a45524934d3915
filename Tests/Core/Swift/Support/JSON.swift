import SKANCore

/// A JSON value whose numbers are kept as they are spelled, so that amounts can be compared exactly: of Tests/Vectors, and
/// of libskan's own documents.
indirect enum JSON: Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSON])
    case object([(key: String, value: JSON)])
}

extension JSON {
    init(_ text: some Sequence<UInt8>) throws {
        self = try Array(text).withUnsafeBytes { try JSON(members: JSONDocument($0).members) }
    }

    private init(members: some Sequence<JSONMember>) {
        self = .object(members.map { (JSON.text($0.key), JSON($0.value)) })
    }

    private init(_ value: JSONValue) {
        switch value.kind {
        case .null: self = .null
        case .true: self = .bool(true)
        case .false: self = .bool(false)
        case .number: self = .number(String(decoding: value.text, as: UTF8.self))
        case .string: self = .string(value.string.map(JSON.text) ?? "")
        case .array: self = .array(value.elements.map { JSON($0) })
        case .object: self.init(members: value.members)
        }
    }

    private static func text(_ string: JSONString) -> String { string.withUTF8 { String(decoding: $0, as: UTF8.self) } }
}

extension JSON {
    subscript(key: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    var items: [JSON] {
        guard case .array(let items) = self else { return [] }
        return items
    }

    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The spelling of a number.
    var number: String? {
        guard case .number(let number) = self else { return nil }
        return number
    }

    var integer: Int64? { number.flatMap { Int64($0) } }

    var bool: Bool? {
        guard case .bool(let bool) = self else { return nil }
        return bool
    }

    /// The document as libskan writes one: no spaces, numbers as they are spelled.
    var plain: String {
        switch self {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .number(let number): number
        case .string(let text): "\"\(text)\""
        case .array(let items): "[\(items.map(\.plain).joined(separator: ","))]"
        case .object(let members): "{\(members.map { "\"\($0.key)\":\($0.value.plain)" }.joined(separator: ","))}"
        }
    }
}

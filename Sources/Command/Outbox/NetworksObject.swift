import SKANCommandStores
import SKANCore
import SKANSystem

/// A fault in a file of networks. The message includes its place.
struct NetworksProblem: Error {
    let message: Message

    init(_ message: Message) { self.message = message }

    func within(_ place: Message) -> NetworksProblem { NetworksProblem("\(place): \(message)") }
}

/// A JSON object in a file of networks. Valid only as long as the file's text.
struct NetworksObject {
    private let members: [JSONMember]

    /// nil if the value is not an object.
    init?(_ value: JSONValue) {
        guard value.kind == .object else { return nil }
        members = [JSONMember](value.members)
    }

    init(document text: Bytes) throws(NetworksProblem) {
        do throws(JSONFault) {
            members = try JSONDocument(text, allowsDuplicates: true).members
        } catch {
            switch error.kind {
            case .unexpectedByte, .unexpectedEnd, .trailingBytes, .notUTF8:
                throw NetworksProblem(
                    "no JSON, at byte \(error.position) (line \(error.line), column \(error.column))")
            case .notAnObject:
                throw NetworksProblem("expected an object")
            default:
                throw NetworksProblem(error.description)
            }
        }
    }

    func checkKeys(_ known: [StaticString]) throws(NetworksProblem) {
        for member in members where !known.contains(where: { member.key.isEqual($0) }) {
            let key = member.key.utf8
            let rest: StaticString = key.count > 64 ? "..." : ""
            throw NetworksProblem("unknown key \"\(Message(utf8: [UInt8](key.prefix(64))))\"\(rest)")
        }
    }

    /// The value of a key; nil if the key is absent or its value is null. If the key appears twice, the last value
    /// counts.
    private func value(_ key: StaticString) -> JSONValue? {
        members.value(key).flatMap { $0.kind == .null ? nil : $0 }
    }

    /// Returns the elements of a key's array. Throws unless their number is in `counts`. If `counts` begins with 0, the
    /// array may be missing.
    func array(_ key: StaticString, _ counts: ClosedRange<Int>) throws(NetworksProblem) -> [JSONValue] {
        let value = value(key)
        if value == nil, counts.lowerBound == 0 { return [] }
        if let value, value.kind == .array {
            let elements = [JSONValue](value.elements)
            if counts ~= elements.count { return elements }
        }
        throw NetworksProblem("\(key): expected an array of \(counts.lowerBound) to \(counts.upperBound)")
    }

    func text(_ key: StaticString, upTo most: Int) throws(NetworksProblem) -> [UInt8] {
        try networksText(value(key), key, upTo: most)
    }

    /// nil if the key is absent or its value is null.
    func optionalText(_ key: StaticString, upTo most: Int) throws(NetworksProblem) -> [UInt8]? {
        try value(key) == nil ? nil : text(key, upTo: most)
    }

    func name() throws(NetworksProblem) -> [UInt8] {
        let name = try text("name", upTo: OutboxEntryName.nameBytes)
        guard name.allSatisfy(isOfName) else {
            throw NetworksProblem("name: expected a-z, 0-9, \".\", \"_\" and \"-\"")
        }
        return name
    }
}

/// Returns a value's text. Throws if it is empty, has more than `most` bytes or contains control characters.
func networksText(
    _ value: JSONValue?, _ what: StaticString, upTo most: Int
) throws(NetworksProblem) -> [UInt8] {
    guard let string = value?.string else { throw NetworksProblem("\(what): expected text") }
    let text = string.withUTF8 { [UInt8]($0) }
    guard 1...most ~= text.count, text.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
        throw NetworksProblem("\(what): expected 1 to \(most) bytes without control characters")
    }
    return text
}

private func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: isDigit(byte)
    }
}

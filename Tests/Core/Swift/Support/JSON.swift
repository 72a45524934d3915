/// A JSON value whose numbers are kept as they are spelled, so that amounts can be compared exactly. The reader takes
/// correct documents: those of Tests/Vectors and libskan's own.
indirect enum JSON: Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSON])
    case object([(key: String, value: JSON)])
}

extension JSON {
    struct Malformed: Error {
        let position: Int
    }

    init(_ text: some Sequence<UInt8>) throws {
        var reader = JSONReader(bytes: Array(text))
        self = try reader.document()
    }

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

    /// The document as libskan writes one: no spaces, numbers as plain decimals.
    var plain: String {
        switch self {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .number(let number): plainDecimal(number)
        case .string(let text): "\"\(text)\""
        case .array(let items): "[\(items.map(\.plain).joined(separator: ","))]"
        case .object(let members): "{\(members.map { "\"\($0.key)\":\($0.value.plain)" }.joined(separator: ","))}"
        }
    }
}

/// The spelling of a decimal number without an exponent, leading zeros or trailing zeros.
func plainDecimal(_ number: String) -> String {
    let isNegative = number.hasPrefix("-")
    let parts = number.drop { $0 == "-" }.split(whereSeparator: { $0 == "e" || $0 == "E" })
    let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    var point = mantissa[0].count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
    var digits = Array(mantissa.joined())
    while point < 1 {
        digits.insert("0", at: 0)
        point += 1
    }
    while digits.count < point { digits.append("0") }
    var whole = String(digits[..<point].drop { $0 == "0" })
    var fraction = String(digits[point...])
    while fraction.hasSuffix("0") { fraction.removeLast() }
    if whole.isEmpty { whole = "0" }
    let magnitude = fraction.isEmpty ? whole : "\(whole).\(fraction)"
    return isNegative && magnitude != "0" ? "-\(magnitude)" : magnitude
}

private struct JSONReader {
    let bytes: [UInt8]
    var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() throws -> JSON {
        let value = try value()
        skipSpace()
        guard position == bytes.count else { throw malformed }
        return value
    }

    private var malformed: JSON.Malformed { JSON.Malformed(position: position) }

    private var byte: UInt8 { position < bytes.count ? bytes[position] : 0 }

    private mutating func skipSpace() {
        while [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    /// Steps over the byte if it is the next one.
    private mutating func take(_ expected: Character) -> Bool {
        guard byte == expected.asciiValue else { return false }
        position += 1
        return true
    }

    private mutating func take(_ word: String) throws {
        for letter in word {
            guard take(letter) else { throw malformed }
        }
    }

    private mutating func value() throws -> JSON {
        skipSpace()
        switch byte {
        case UInt8(ascii: "{"): return .object(try members())
        case UInt8(ascii: "["): return .array(try items())
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "n"):
            try take("null")
            return .null
        case UInt8(ascii: "t"):
            try take("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try take("false")
            return .bool(false)
        default: return .number(try number())
        }
    }

    private mutating func members() throws -> [(key: String, value: JSON)] {
        var members: [(key: String, value: JSON)] = []
        position += 1
        skipSpace()
        guard !take("}") else { return members }
        repeat {
            skipSpace()
            guard byte == UInt8(ascii: "\"") else { throw malformed }
            let key = try string()
            skipSpace()
            guard take(":") else { throw malformed }
            members.append((key, try value()))
            skipSpace()
        } while take(",")
        guard take("}") else { throw malformed }
        return members
    }

    private mutating func items() throws -> [JSON] {
        var items: [JSON] = []
        position += 1
        skipSpace()
        guard !take("]") else { return items }
        repeat {
            items.append(try value())
            skipSpace()
        } while take(",")
        guard take("]") else { throw malformed }
        return items
    }

    private mutating func number() throws -> String {
        let start = position
        while "+-.eE0123456789".utf8.contains(byte) { position += 1 }
        guard position > start else { throw malformed }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func string() throws -> String {
        var units: [UInt8] = []
        position += 1
        while byte != UInt8(ascii: "\"") {
            guard position < bytes.count else { throw malformed }
            if take("\\") {
                units += Array(String(try escape()).utf8)
            } else {
                units.append(byte)
                position += 1
            }
        }
        position += 1
        return String(decoding: units, as: UTF8.self)
    }

    private mutating func escape() throws -> Unicode.Scalar {
        let letter = byte
        position += 1
        switch letter {
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            var code = try codeUnit()
            if (0xD800..<0xDC00).contains(code) {
                try take("\\u")
                code = 0x10000 + (code - 0xD800) << 10 + (try codeUnit() - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw malformed }
            return scalar
        default: return Unicode.Scalar(letter)
        }
    }

    private mutating func codeUnit() throws -> UInt32 {
        guard position + 4 <= bytes.count,
            let unit = UInt32(String(decoding: bytes[position..<(position + 4)], as: UTF8.self), radix: 16)
        else { throw malformed }
        position += 4
        return unit
    }
}

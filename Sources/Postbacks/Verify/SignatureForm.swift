/// The two forms of an ECDSA signature: DER in SKAdNetwork, two numbers of 32 bytes in a JWS.
enum SignatureForm {
    static var jwsBytes: Int { 64 }

    /// Whether the bytes are the DER of a SEQUENCE of two non-negative INTEGERs, and nothing else.
    static func isDER(_ bytes: [UInt8]) -> Bool {
        var whole = DERReading(bytes[...])
        guard var sequence = whole.value(0x30), whole.isAtEnd,
            let r = sequence.value(0x02), let s = sequence.value(0x02), sequence.isAtEnd
        else { return false }
        return r.isNumber && s.isNumber
    }

    /// Returns the DER form of a JWS's signature, which has 64 bytes.
    static func der(ofJWS signature: [UInt8]) -> [UInt8] {
        let numbers = number(signature.prefix(jwsBytes / 2)) + number(signature.dropFirst(jwsBytes / 2))
        return [0x30, UInt8(truncatingIfNeeded: numbers.count)] + numbers
    }

    /// Returns a big-endian number as a DER INTEGER in its shortest form.
    private static func number(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let content = bytes.drop { $0 == 0 }
        let zeros = content.first ?? 0x80 >= 0x80 ? 1 : 0
        var number = [0x02, UInt8(truncatingIfNeeded: content.count &+ zeros)]
        if zeros > 0 { number.append(0) }
        number += content
        return number
    }
}

private struct DERReading {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    /// Reads the next value and returns its contents; nil unless it has this tag and a length in its shortest form.
    mutating func value(_ tag: UInt8) -> DERReading? {
        guard rest.popFirst() == tag, let first = rest.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            guard 1...4 ~= first &- 0x80, rest.first != 0 else { return nil }
            length = 0
            for _ in 0..<(first &- 0x80) {
                guard let byte = rest.popFirst() else { return nil }
                length = length << 8 | Int(byte)
            }
            guard length >= 0x80 else { return nil }
        }
        guard rest.count >= length else { return nil }
        defer { rest = rest.dropFirst(length) }
        return DERReading(rest.prefix(length))
    }

    /// Whether the contents are those of a non-negative INTEGER in its shortest form.
    var isNumber: Bool {
        guard let first = rest.first, first < 0x80 else { return false }
        guard rest.count > 1, first == 0 else { return true }
        return rest[rest.startIndex &+ 1] >= 0x80
    }
}

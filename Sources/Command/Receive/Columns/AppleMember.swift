import SKANCore

/// A member of Apple's postbacks whose value a column can have.
struct AppleMember: Sendable {
    enum Kind: Sendable {
        case integer, boolean, text
        /// A text of digits, or a version such as "4.0". A program may have stored either as a number.
        case digits, version

        var isText: Bool { self == .digits || self == .version || self == .text }
    }

    let name: StaticString
    let kind: Kind

    static func named(_ name: [UInt8]) -> AppleMember? { all.first { name.elementsEqual($0.name.bytes) } }

    /// Finds the member for a name in another style, such as `adNetworkId`, `app_id` or `skad_app_id`.
    static func named(like name: [UInt8]) -> AppleMember? {
        let name = dashed(name)
        if let found = named(name) { return found }
        for prefix in ["skad-", "skan-"] as [StaticString] where name.starts(with: prefix.bytes) {
            return named([UInt8](name.dropFirst(prefix.utf8CodeUnitCount)))
        }
        return nil
    }

    var isSignature: Bool { isNamed("attribution-signature") || isNamed("jws-string") }

    func isNamed(_ other: StaticString) -> Bool { name.bytes.elementsEqual(other.bytes) }

    private static var all: [AppleMember] {
        [
            AppleMember(name: "version", kind: .version), AppleMember(name: "ad-network-id", kind: .text),
            AppleMember(name: "campaign-id", kind: .integer), AppleMember(name: "source-identifier", kind: .digits),
            AppleMember(name: "app-id", kind: .integer), AppleMember(name: "transaction-id", kind: .text),
            AppleMember(name: "redownload", kind: .boolean), AppleMember(name: "source-app-id", kind: .integer),
            AppleMember(name: "source-domain", kind: .text), AppleMember(name: "fidelity-type", kind: .integer),
            AppleMember(name: "did-win", kind: .boolean),
            AppleMember(name: "postback-sequence-index", kind: .integer),
            AppleMember(name: "conversion-value", kind: .integer),
            AppleMember(name: "coarse-conversion-value", kind: .text),
            AppleMember(name: "country-code", kind: .text), AppleMember(name: "ad-interaction-type", kind: .text),
            AppleMember(name: "attribution-signature", kind: .text), AppleMember(name: "jws-string", kind: .text),
        ]
    }
}

/// Returns a name in Apple's style: `adNetworkID`, `AD_NETWORK_ID` and `Ad Network ID` become `ad-network-id`.
private func dashed(_ name: [UInt8]) -> [UInt8] {
    var dashed: [UInt8] = []
    var isBehindSmall = false
    for byte in name {
        switch byte {
        case UInt8(ascii: "_"), UInt8(ascii: " "):
            dashed.append(UInt8(ascii: "-"))
            isBehindSmall = false
        case 0x41...0x5A:
            if isBehindSmall { dashed.append(UInt8(ascii: "-")) }
            dashed.append(byte | 0x20)
            isBehindSmall = false
        default:
            dashed.append(byte)
            isBehindSmall = true
        }
    }
    return dashed
}

extension JSONWriter {
    mutating func write(_ member: AppleMember, number digits: [UInt8]) {
        key(member.name)
        withoutZeros(digits).withUnsafeBytes { json(utf8: $0) }
    }

    /// Writes a row's value in the member's type. A value that cannot be converted is written unchanged, so that
    /// verification judges it.
    mutating func write(_ member: AppleMember, _ value: ColumnValue) {
        key(member.name)
        if let word = value.word(as: member.kind) {
            word.withUnsafeBytes { member.kind.isText ? string(utf8: $0) : json(utf8: $0) }
        } else {
            value.text.withUnsafeBytes { value.kind == .string ? string(utf8: $0) : json(utf8: $0) }
        }
    }
}

extension AppleMember {
    /// Returns digits that may have lost leading zeros, because a program stored them as a number; nil for other
    /// values.
    func digitsWithoutZeros(_ value: ColumnValue) -> [UInt8]? {
        guard kind == .digits, value.kind == .string else { return nil }
        let digits = value.text.withUnsafeBytes { trimmedText($0) }
        return digits.count < 4 && areDigits(digits) ? digits : nil
    }
}

extension ColumnValue {
    /// Returns the value as Apple writes values of this kind; nil for text, or if the value cannot be converted.
    fileprivate func word(as kind: AppleMember.Kind) -> [UInt8]? {
        guard self.kind == .string || self.kind == .number else { return nil }
        let word = text.withUnsafeBytes { trimmedText($0) }
        switch kind {
        case .text: return nil
        case .version: return version(word)
        case .integer: return wholeDigits(word).map { withoutZeros($0) }
        case .digits: return self.kind == .string && areDigits(word) ? word : nil
        case .boolean: return truth(Message(utf8: word).lowercased).map { [UInt8](($0 ? trueWord : falseWord).bytes) }
        }
    }
}

/// Returns a version as Apple writes it: "4.0" for "4", too, because programs leave out the zero.
private func version(_ word: [UInt8]) -> [UInt8]? {
    if word.count == 1, areDigits(word) { return word + [UInt8(ascii: "."), UInt8(ascii: "0")] }
    return word.count == 3 ? word : nil
}

/// Returns the digits of a whole number, without a fraction of zeros that a program has added: "5239" for "5239.0".
private func wholeDigits(_ word: [UInt8]) -> [UInt8]? {
    let parts = word.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let digits = parts.first, areDigits(digits) else { return nil }
    guard parts.count > 1 else { return [UInt8](digits) }
    return areDigits(parts[1]) && parts[1].allSatisfy { $0 == UInt8(ascii: "0") } ? [UInt8](digits) : nil
}

private func areDigits(_ bytes: some Collection<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
}

/// Returns the digits without leading zeros, which numbers in JSON cannot have.
private func withoutZeros(_ digits: [UInt8]) -> [UInt8] {
    let significant = digits.drop { $0 == UInt8(ascii: "0") }
    return significant.isEmpty ? [UInt8(ascii: "0")] : [UInt8](significant)
}

private var trueWord: StaticString { "true" }
private var falseWord: StaticString { "false" }

private func truth(_ word: [UInt8]) -> Bool? {
    func isOne(of words: [StaticString]) -> Bool { words.contains { word.elementsEqual($0.bytes) } }
    if isOne(of: [trueWord, "t", "1", "yes"]) { return true }
    return isOne(of: [falseWord, "f", "0", "no"]) ? false : nil
}

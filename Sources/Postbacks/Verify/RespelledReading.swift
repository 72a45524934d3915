internal import SKANCore

/// Rules, "Respelled postbacks": if a postback is not valid as it was received, reads it again in each way in which a
/// serializer may have rewritten it.
extension PostbackReading {
    /// The maximum number of signature checks for one postback.
    private static var mostChecks: Int { 8 }
    /// The maximum number of checks for one way of reading: one with the source-app-id and, if that is 0, one without
    /// it.
    private static var checksOfOne: Int { 2 }

    /// Adopts the first way of reading that the signature proves. If there is none, the strict reading stays.
    @_optimize(size)
    mutating func readRespelled(_ received: UnsafeRawBufferPointer, with keys: PostbackKeySet) throws(Failure) {
        guard mayBeRespelled else { return }
        switch framework {
        case .adAttributionKit: try take(canonicalKit(), received, keys)
        case .skAdNetwork:
            guard let format = spelledFormat() else { return }
            var next = SpelledIdentifier(identifierNumber)
            while !result.isProven, signatureChecks <= Self.mostChecks - Self.checksOfOne, next.advance() {
                guard try take(canonical(format, next), received, keys) else { return }
            }
        }
    }

    /// Whether another way of reading could give another signed text. It never could for an ordinary postback, so even
    /// a forged one costs no more than its strict reading.
    private var mayBeRespelled: Bool {
        switch result {
        case .malformed: problemField != nil
        case .unverifiable: framework == .skAdNetwork && self[.version] != nil
        case .invalid:
            framework == .skAdNetwork && (isDomainAbsent == true || identifierNumber != nil)
        case .valid, .development: false
        }
    }

    /// Whether the source-domain is a text that means absent, such as an empty text or "null"; nil if it is not a text.
    private var isDomainAbsent: Bool? {
        string(.sourceDomain).map { PostbackSpelling.isAbsent(.string, $0) }
    }

    /// Reads a candidate strictly, and adopts it if its signature matches. Returns false if there is no candidate.
    @discardableResult
    private mutating func take(
        _ canonical: consuming ByteBuffer?, _ received: UnsafeRawBufferPointer, _ keys: PostbackKeySet
    ) throws(Failure) -> Bool {
        guard let canonical else { return false }
        var reading = canonical.withBytes { PostbackReading($0) }
        try canonical.withBytes { body throws(Failure) in try reading.readStrictly(body, with: keys) }
        signatureChecks &+= reading.signatureChecks
        guard reading.result.isProven else { return true }
        reading.signatureChecks = signatureChecks
        reading.isRespelled = true
        reading.received = reading.texts.add(received)
        self = reading
        return true
    }

    // MARK: SKAdNetwork

    /// The version that the postback means; nil if it is unknown. An absent version, or a value such as null, means
    /// 1.0; 4 means 4.0.
    private func spelledFormat() -> SKAdNetworkFormat? {
        guard let value = self[.version] else { return .version1 }
        let text = texts[value.place]
        if PostbackSpelling.isAbsent(value.kind, text) { return .version1 }
        return SKAdNetworkFormat(spelled: value.kind, text)
    }

    private func canonical(_ format: SKAdNetworkFormat, _ identifier: SpelledIdentifier) -> ByteBuffer? {
        var canonical = CanonicalPostback()
        let signed = format.signed
        writeVersion(format, to: &canonical)
        for field in signed where field != .version {
            write(field, identifier, to: &canonical)
            if canonical.isUnreadable { return nil }
        }
        for field in PostbackField.unsigned where format.known.contains(field) {
            write(unsigned: field, to: &canonical)
        }
        writeSignature(to: &canonical)
        return canonical.isUnreadable || !canonical.isRespelled ? nil : canonical.finish()
    }

    private func writeVersion(_ format: SKAdNetworkFormat, to canonical: inout CanonicalPostback) {
        guard let value = self[.version] else { return }
        let text = texts[value.place]
        if PostbackSpelling.isAbsent(value.kind, text) { return canonical.leaveOut() }
        let isSame = value.kind == .string && isText(text, format.name)
        canonical.write("version", text: format.name.bytes, isRespelled: !isSame)
    }

    private func write(
        _ field: PostbackField, _ identifier: SpelledIdentifier, to canonical: inout CanonicalPostback
    ) {
        guard let value = self[field] else {
            if !field.isOptionalInSKAdNetwork { canonical.refuse() }
            return
        }
        let (name, text) = (field.skAdNetworkName ?? "", texts[value.place])
        if field.isOptionalInSKAdNetwork, isSpelledAbsent(field, value, text) { return canonical.leaveOut() }
        let isPlain = value.kind == .number && wholeNumber(text) != nil
        switch field {
        case .sourceIdentifier where identifier.number != nil:
            identifier.withText { canonical.write(name, text: $0, isRespelled: true) }
        case .fidelityType, .sequenceIndex:
            let number = PostbackSpelling.smallNumber(value.kind, text)
            canonical.write(name, number: number, isRespelled: !isPlain)
        default:
            switch field.type {
            case .integer, .window:
                canonical.write(name, number: PostbackSpelling.integer(value.kind, text), isRespelled: !isPlain)
            case .boolean:
                let isPlain = value.kind == .true || value.kind == .false
                canonical.write(name, truth: PostbackSpelling.truth(value.kind, text), isRespelled: !isPlain)
            case .text:
                if value.kind == .string { canonical.write(name, text: text) } else { canonical.refuse() }
            }
        }
    }

    /// Whether the value of an optional field means that the field is absent. A source-app-id of 0 beside a
    /// source-domain does too, because serializers write 0 for a missing number.
    private func isSpelledAbsent(
        _ field: PostbackField, _ value: PostbackValue, _ text: UnsafeRawBufferPointer
    ) -> Bool {
        if PostbackSpelling.isAbsent(value.kind, text) { return true }
        guard field == .sourceAppID, isDomainAbsent == false else { return false }
        return PostbackSpelling.integer(value.kind, text) == 0
    }

    private func writeSignature(to canonical: inout CanonicalPostback) {
        guard let text = string(.signature), let standard = RespelledSignature.standard(text) else {
            return canonical.refuse()
        }
        standard.withUnsafeBytes {
            canonical.write("attribution-signature", text: $0, isRespelled: !isSame($0, text))
        }
    }

    private func write(unsigned field: PostbackField, to canonical: inout CanonicalPostback) {
        guard let value = self[field] else { return }
        canonical.write(field, unsigned: value, texts[value.place])
    }

    // MARK: source-identifier

    /// The number, 0 to 9999, that a serializer wrote as the source-identifier, such as 39 or "39.0". nil for a text of
    /// digits, which is how Apple writes it, and for any other value.
    private var identifierNumber: Int64? {
        guard let value = self[.sourceIdentifier] else { return nil }
        let text = texts[value.place]
        if value.kind == .string, text.allSatisfy({ isDigit($0) }) { return nil }
        guard let number = PostbackSpelling.integer(value.kind, text), 0...9999 ~= number else { return nil }
        return number
    }

    // MARK: AdAttributionKit

    private func canonicalKit() -> ByteBuffer? {
        guard let text = string(.jws) else { return nil }
        let compact = RespelledSignature.compact(text)
        var canonical = CanonicalPostback()
        compact.withUnsafeBytes { canonical.write("jws-string", text: $0, isRespelled: !isSame($0, text)) }
        for field in PostbackField.unsigned { write(unsigned: field, to: &canonical) }
        return canonical.isRespelled ? canonical.finish() : nil
    }
}

/// The texts that a source-identifier may have been before a serializer turned it into a number without leading zeros.
/// For 39, they are "39", "039" and "0039"; for 5, "05", "005", "0005" and "5". If the identifier was not turned into a
/// number, `number` is nil, and the only candidate is the identifier's own text.
private struct SpelledIdentifier {
    let number: Int64?
    /// The number of digits of the current text; 0 before the first one.
    private var digits = 0

    init(_ number: Int64?) { self.number = number }

    /// Advances to the next text; returns false if there is none. A single digit comes last, because Apple's texts have
    /// at least two.
    mutating func advance() -> Bool {
        guard let number else {
            digits &+= 1
            return digits == 1
        }
        let own = number > 999 ? 4 : number > 99 ? 3 : number > 9 ? 2 : 1
        switch digits {
        case 0: digits = max(own, 2)
        case 1: return false
        case 4: digits = own == 1 ? 1 : 5
        default: digits &+= 1
        }
        return digits < 5
    }

    func withText(_ body: (UnsafeRawBufferPointer) -> Void) {
        var text = ByteBuffer(capacity: 8)
        text.append(decimal: UInt64(truncatingIfNeeded: number ?? 0), digits: digits)
        text.withBytes { body($0) }
    }
}

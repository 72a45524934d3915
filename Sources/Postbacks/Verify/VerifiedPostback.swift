package import SKANCore

/// One of Apple's postbacks, read and verified: its bytes, its result, and its fields. Immutable.
package final class VerifiedPostback: @unchecked Sendable {
    private let reading: PostbackReading

    /// Reads a body and verifies its signature. Does not throw if the postback is malformed or invalid: see `result`.
    package convenience init(verifying body: UnsafeRawBufferPointer, keys: PostbackKeySet) throws(Failure) {
        let body = withoutMark(body)
        var reading = PostbackReading(body)
        try reading.verify(body, with: keys)
        self.init(reading)
    }

    private init(_ reading: consuming PostbackReading) { self.reading = reading }

    /// Restores a postback from its body and the verdict of an earlier verification. Does not check its signature.
    package convenience init(restoring body: UnsafeRawBufferPointer, _ verdict: PostbackVerdict) {
        let body = withoutMark(body)
        var reading = PostbackReading(body)
        reading.restore(body, verdict)
        self.init(reading)
    }

    /// The body as received, without a byte-order mark at its start.
    package var body: UnsafeRawBufferPointer { reading.texts[reading.received ?? reading.body] }
    /// The body as Apple would have written it if the postback was respelled, otherwise as received. This is what is
    /// stored.
    package var canonicalBody: UnsafeRawBufferPointer { reading.texts[reading.body] }
    package var verdict: PostbackVerdict {
        PostbackVerdict(
            result: reading.result, omitsSourceApp: reading.omitsSourceApp, isRespelled: reading.isRespelled)
    }
    /// Whether the postback was not written as Apple writes it, but its signature proves its meaning.
    package var isRespelled: Bool { reading.isRespelled }
    package var result: PostbackResult { reading.result }
    package var framework: PostbackFramework { reading.framework }

    // Texts are valid as long as the postback lives, and each is followed by a NUL.

    /// The reason why the postback is malformed or unverifiable.
    package var problem: UnsafeRawBufferPointer? { reading.problem.map { reading.texts[$0] } }
    /// The field at fault; nil if there is none, or if the document is not JSON.
    package var problemField: StaticString? { reading.problemField }
    /// The version of SKAdNetwork.
    package var version: UnsafeRawBufferPointer? { reading.version.map { reading.texts[$0] } }
    /// Rules, "Duplicate postbacks": the key of the postback's record, which is the same for each copy of the postback.
    package var key: UnsafeRawBufferPointer? { reading.key.map { reading.texts[$0] } }

    /// nil if the field is absent or not a string.
    package func text(_ field: PostbackField) -> UnsafeRawBufferPointer? {
        guard let value = reading[field], value.isText else { return nil }
        return reading.texts[value.place]
    }

    /// The text of a field, copied up to its first NUL, as C reads it.
    package func textUntilNUL(_ field: PostbackField) -> [UInt8]? {
        text(field).map { [UInt8]($0.prefix { $0 != 0 }) }
    }

    /// The integer of a field; 1 and 0 stand for true and false. nil if the field is absent or of the wrong type.
    package func integer(_ field: PostbackField) -> Int64? { reading[field]?.integer }

    /// The fine value, 0 to 63; -1 if it is absent, as models expect.
    package var fineValue: Int32 { Int32(truncatingIfNeeded: integer(.conversionValue) ?? -1) }
    /// The coarse value, 0 to 2; -1 if it is absent, as models expect.
    package var coarseValue: Int32 { Int32(truncatingIfNeeded: integer(.coarseValue) ?? -1) }

    /// Whether the postback's format names the window, as AdAttributionKit and SKAdNetwork from 4.0 on do.
    package var hasWindows: Bool {
        framework == .adAttributionKit || version.flatMap { SKAdNetworkFormat(named: $0) }?.hasWindows ?? false
    }

    /// The window, 0 to 2; 0 if the version has no windows.
    package var window: Int32 { Int32(truncatingIfNeeded: integer(.sequenceIndex) ?? 0) }

    /// Rules, "Re-engagements": the type of conversion, from conversion-type or, in SKAdNetwork, from redownload.
    package var conversion: PostbackConversion {
        if let word = text(.conversionType) {
            if isText(word, "download") { return .download }
            if isText(word, "redownload") { return .redownload }
            if isText(word, "re-engagement") || isText(word, "reengagement") { return .reengagement }
        }
        if isThere(.conversionType) { return .other }
        switch integer(.redownload) {
        case 0: return .download
        case 1: return .redownload
        default: return .unknown
        }
    }

    /// Rules, "Unknown types": the conversion type, impression type, version or key that this library does not know,
    /// and Apple's name of its field; nil if all are known. Such a postback is counted as none of the known kinds. A
    /// value that is not text is given as written in JSON.
    package var unknownType: (field: StaticString, name: UnsafeRawBufferPointer)? {
        if result == .unverifiable, let name = version ?? text(.keyID) {
            return (framework == .skAdNetwork ? "version" : "kid", name)
        }
        if conversion == .other { return ("conversion-type", told(.conversionType)) }
        if isThere(.impressionType), !isText(told(.impressionType), "app-impression") {
            return ("impression-type", told(.impressionType))
        }
        return nil
    }

    /// Whether the postback has this type field, with a value other than null. Always false for a malformed postback,
    /// whose types may not have been checked.
    private func isThere(_ field: PostbackField) -> Bool {
        guard result != .malformed, let value = reading[field] else { return false }
        return value.kind != .null
    }

    private func told(_ field: PostbackField) -> UnsafeRawBufferPointer {
        reading[field].map { reading.texts[$0.place] } ?? UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// Whether the postback has a fine or a coarse value.
    package var hasValue: Bool { integer(.conversionValue) != nil || integer(.coarseValue) != nil }

    /// Whether the postback has an illegal conversion value and no legal one, so that Apple did not hide the value.
    package var hasIllegalValue: Bool {
        !hasValue && (reading.illegal.contains(.conversionValue) || reading.illegal.contains(.coarseValue))
    }

    /// Calls `body` with the name of each field that the signature proves, in the order of the signed text. In
    /// AdAttributionKit, these are all members of the payload.
    package func forEachSignedField(_ body: (UnsafeRawBufferPointer) -> Void) {
        for field in reading.signed {
            if let name = field.skAdNetworkName { body(reading.texts[.fixed(name)]) }
        }
        guard framework == .adAttributionKit, result.isProven else { return }
        for member in reading.payload { body(reading.texts[member.name]) }
    }

    /// Calls `body` with the name of each unsigned field whose value is of the wrong type or out of range.
    package func forEachIllegalField(_ body: (UnsafeRawBufferPointer) -> Void) {
        for field in reading.illegal {
            if let name = field.unsignedName { body(reading.texts[.fixed(name)]) }
        }
    }

    /// The whole postback as JSON, signed and unsigned fields separately, as postback.h describes it.
    package func json() -> ByteBuffer { reading.json() }
}

/// Returns the body without a byte-order mark at its start.
private func withoutMark(_ body: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard body.count > 2, body[0] == 0xEF, body[1] == 0xBB, body[2] == 0xBF else { return body }
    return UnsafeRawBufferPointer(rebasing: body[3...])
}

internal import SKANCore

/// The fields of postbacks, in the order in which they are signed and reported.
package enum PostbackField: UInt8, CaseIterable, Sendable {
    case version, adNetworkID, campaignID, sourceIdentifier, appID, transactionID, redownload, sourceAppID, sourceDomain
    case fidelityType, didWin, sequenceIndex
    case signature, jws
    case conversionValue, coarseValue, countryCode, interactionType
    case algorithm, keyID, critical
    case conversionType, impressionType

    static var count: Int { Int(impressionType.rawValue) + 1 }

    /// Returns the field whose name is `key`, or nil if there is none. `name` returns each field's name in the part of
    /// the postback that is being read.
    @inline(never)
    static func named(_ key: JSONString, _ name: (PostbackField) -> StaticString?) -> PostbackField? {
        var found: PostbackField?
        key.withExactUTF8 { key in
            found = allCases.first { field in name(field).map { isText(key, $0) } ?? false }
        }
        return found
    }
}

/// libskan's names of fields, as used in columns of rows, in placeholders of partners' URLs, in C, C++ and Python, and
/// (in camel case) in Swift.
extension PostbackField {
    /// nil for fields that libskan does not report under a name.
    package var name: StaticString? {
        switch self {
        case .version: "version"
        case .adNetworkID: "ad_network_id"
        case .campaignID: "campaign_id"
        case .sourceIdentifier: "source_identifier"
        case .appID: "app_id"
        case .transactionID: "transaction_id"
        case .redownload: "redownload"
        case .sourceAppID: "source_app_id"
        case .sourceDomain: "source_domain"
        case .fidelityType: "fidelity_type"
        case .didWin: "did_win"
        case .sequenceIndex: "postback_sequence_index"
        case .conversionValue: "conversion_value"
        case .coarseValue: "coarse_conversion_value"
        case .countryCode: "country_code"
        case .interactionType: "ad_interaction_type"
        case .keyID: "key_id"
        case .conversionType: "conversion_type"
        case .signature, .jws, .algorithm, .critical, .impressionType: nil
        }
    }

    package var type: PostbackType {
        switch self {
        case .campaignID, .appID, .sourceAppID, .fidelityType, .conversionValue: .integer
        case .redownload, .didWin: .boolean
        case .sequenceIndex: .window
        default: .text
        }
    }
}

/// A set of fields. Iterates in the order of the cases of `PostbackField`.
package struct PostbackFieldSet: Sendable, Sequence, ExpressibleByArrayLiteral {
    private var bits: UInt32 = 0

    package init(arrayLiteral fields: PostbackField...) {
        for field in fields { insert(field) }
    }

    package var count: Int { bits.nonzeroBitCount }

    package func contains(_ field: PostbackField) -> Bool { bits & Self.bit(field) != 0 }

    mutating func insert(_ field: PostbackField) { bits |= Self.bit(field) }

    mutating func remove(_ field: PostbackField) { bits &= ~Self.bit(field) }

    mutating func formUnion(_ other: PostbackFieldSet) { bits |= other.bits }

    package func makeIterator() -> Iterator { Iterator(rest: bits) }

    package struct Iterator: IteratorProtocol {
        fileprivate var rest: UInt32

        package mutating func next() -> PostbackField? {
            guard rest != 0 else { return nil }
            defer { rest &= rest &- 1 }
            return PostbackField(rawValue: UInt8(truncatingIfNeeded: rest.trailingZeroBitCount))
        }
    }

    private static func bit(_ field: PostbackField) -> UInt32 { 1 << UInt32(field.rawValue) }
}

/// Rules, "Unsigned fields": the fields that no signature covers, in both frameworks.
extension PostbackField {
    static var unsigned: PostbackFieldSet { [.conversionValue, .coarseValue, .countryCode, .interactionType] }

    /// Apple's name of an unsigned field; nil for other fields.
    var unsignedName: StaticString? {
        switch self {
        case .conversionValue: "conversion-value"
        case .coarseValue: "coarse-conversion-value"
        case .countryCode: "country-code"
        case .interactionType: "ad-interaction-type"
        default: nil
        }
    }
}

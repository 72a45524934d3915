internal import SKANCore

/// Rules, "SKAdNetwork signatures": the versions of SKAdNetwork postbacks, and the fields that each version signs.
enum SKAdNetworkFormat: CaseIterable {
    case version4, version3, version22, version21, version20, version1

    /// Finds the version with exactly this name; nil if there is none.
    init?(named text: UnsafeRawBufferPointer) {
        for format in Self.allCases where isText(text, format.name) {
            self = format
            return
        }
        return nil
    }

    /// Finds the version that a value means even if it is not written as Apple writes it: 4, 4.0 as a number, or "4".
    init?(spelled kind: JSONKind, _ text: UnsafeRawBufferPointer) {
        let text = PostbackSpelling.trimmed(text)
        guard kind == .number || kind == .string, let number = DecimalNumber(text), number.hasAtMost(places: 1),
            let tenths = number.scaledHalfEven(places: 1, below: 1000)
        else { return nil }
        for format in Self.allCases where tenths == format.tenths {
            self = format
            return
        }
        return nil
    }

    private var tenths: Int128 {
        let digits = name.bytes
        return Int128(digits[0] &- UInt8(ascii: "0")) * 10 + Int128(digits[2] &- UInt8(ascii: "0"))
    }

    var name: StaticString {
        switch self {
        case .version4: "4.0"
        case .version3: "3.0"
        case .version22: "2.2"
        case .version21: "2.1"
        case .version20: "2.0"
        case .version1: "1.0"
        }
    }

    /// The fields that are signed if they are present. Newer versions add fields to those of older ones. The fields are
    /// not written as several literals, because Embedded Swift mixes up constant arrays in one function when modules
    /// are linked together.
    var signed: PostbackFieldSet {
        var fields: PostbackFieldSet = []
        fields.insert(.adNetworkID)
        fields.insert(.appID)
        fields.insert(.transactionID)
        fields.insert(campaignField)
        switch self {
        case .version4:
            fields.insert(.sourceDomain)
            fields.insert(.sequenceIndex)
            fallthrough
        case .version3:
            fields.insert(.didWin)
            fallthrough
        case .version22:
            fields.insert(.fidelityType)
            fallthrough
        case .version21, .version20:
            fields.insert(.version)
            fields.insert(.redownload)
            fields.insert(.sourceAppID)
        case .version1:
            break
        }
        return fields
    }

    private var campaignField: PostbackField {
        switch self {
        case .version4: .sourceIdentifier
        case .version3, .version22, .version21, .version20, .version1: .campaignID
        }
    }

    var hasWindows: Bool { signed.contains(.sequenceIndex) }

    /// All fields of this version; others are ignored.
    var known: PostbackFieldSet {
        var fields = signed
        fields.formUnion([.version, .signature, .conversionValue, .coarseValue, .countryCode])
        return fields
    }
}

extension PostbackField {
    var skAdNetworkName: StaticString? {
        switch self {
        case .version: "version"
        case .adNetworkID: "ad-network-id"
        case .campaignID: "campaign-id"
        case .sourceIdentifier: "source-identifier"
        case .appID: "app-id"
        case .transactionID: "transaction-id"
        case .redownload: "redownload"
        case .sourceAppID: "source-app-id"
        case .sourceDomain: "source-domain"
        case .fidelityType: "fidelity-type"
        case .didWin: "did-win"
        case .sequenceIndex: "postback-sequence-index"
        case .signature: "attribution-signature"
        case .conversionValue, .coarseValue, .countryCode: unsignedName
        default: nil
        }
    }

    var isOptionalInSKAdNetwork: Bool { self == .sourceAppID || self == .sourceDomain }
}

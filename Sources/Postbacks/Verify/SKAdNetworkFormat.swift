/// Rules, "SKAdNetwork signatures": the versions of SKAdNetwork's postbacks, and what each of them signs.
enum SKAdNetworkFormat: CaseIterable {
    case version4, version3, version22, version21, version20, version1

    /// The one that a postback or a key names.
    init?(named text: UnsafeRawBufferPointer) {
        for format in Self.allCases where isText(text, format.name) {
            self = format
            return
        }
        return nil
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

    /// The fields that are signed, where they are there.
    var signed: PostbackFieldSet {
        switch self {
        case .version4:
            [
                .version, .adNetworkID, .sourceIdentifier, .appID, .transactionID, .redownload, .sourceAppID,
                .sourceDomain, .fidelityType, .didWin, .sequenceIndex,
            ]
        case .version3:
            [
                .version, .adNetworkID, .campaignID, .appID, .transactionID, .redownload, .sourceAppID, .fidelityType,
                .didWin,
            ]
        case .version22:
            [.version, .adNetworkID, .campaignID, .appID, .transactionID, .redownload, .sourceAppID, .fidelityType]
        case .version21, .version20:
            [.version, .adNetworkID, .campaignID, .appID, .transactionID, .redownload, .sourceAppID]
        case .version1:
            [.adNetworkID, .campaignID, .appID, .transactionID]
        }
    }

    /// All fields that it knows; others are unknown keys.
    var known: PostbackFieldSet {
        var fields = signed
        fields.formUnion([.version, .signature, .conversionValue, .coarseValue, .countryCode])
        return fields
    }
}

/// SKAdNetwork's fields: their names and types.
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

    var skAdNetworkType: PostbackType {
        switch self {
        case .campaignID, .appID, .sourceAppID, .fidelityType: .integer
        case .redownload, .didWin: .boolean
        case .sequenceIndex: .window
        default: .text
        }
    }

    var isOptionalInSKAdNetwork: Bool { self == .sourceAppID || self == .sourceDomain }
}

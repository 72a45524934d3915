import SKANPostbackVerification

/// The columns of a postback's row, in order. Programs that read rows rely on them: a column is never renamed or moved
/// and keeps its type, and new columns are added at the end.
package enum RowColumn: Int, CaseIterable, Sendable {
    case id, received, sender
    // Columns as Apple reports them.
    case framework, version, adNetworkID, campaignID, sourceIdentifier, appID, transactionID, sourceAppID, sourceDomain
    case fidelityType, redownload, didWin, sequenceIndex, conversionType
    case conversionValue, coarseConversionValue, countryCode, adInteractionType
    // Columns for what else is known about the postback.
    case networkName, campaignName, adSetName, conversion, won, decoding, model, events
    case revenue, revenueMin, revenueMax, revenueEstimate, currency
    case installedFrom, installedUntil, installedUntilIfLocked
    case reengagedFrom, reengagedUntil, reengagedUntilIfLocked
    case revenueKind
    // Columns for what others than Apple changed in the postback, and for types that this version does not know.
    case respelled, illegal, unknownType

    /// The postback field whose value the column shows; nil for columns that Apple does not report.
    var field: PostbackField? {
        switch self {
        case .version: .version
        case .adNetworkID: .adNetworkID
        case .campaignID: .campaignID
        case .sourceIdentifier: .sourceIdentifier
        case .appID: .appID
        case .transactionID: .transactionID
        case .sourceAppID: .sourceAppID
        case .sourceDomain: .sourceDomain
        case .fidelityType: .fidelityType
        case .redownload: .redownload
        case .didWin: .didWin
        case .sequenceIndex: .sequenceIndex
        case .conversionType: .conversionType
        case .conversionValue: .conversionValue
        case .coarseConversionValue: .coarseValue
        case .countryCode: .countryCode
        case .adInteractionType: .interactionType
        default: nil
        }
    }

    package var name: StaticString { field?.name ?? ownName }

    private var ownName: StaticString {
        switch self {
        case .id: "id"
        case .received: "received"
        case .sender: "sender"
        case .framework: "framework"
        case .networkName: "network_name"
        case .campaignName: "campaign_name"
        case .adSetName: "ad_set_name"
        case .conversion: "conversion"
        case .won: "won"
        case .decoding: "decoding"
        case .model: "model"
        case .events: "events"
        case .revenue: "revenue"
        case .revenueMin: "revenue_min"
        case .revenueMax: "revenue_max"
        case .revenueEstimate: "revenue_estimate"
        case .currency: "currency"
        case .installedFrom: "installed_from"
        case .installedUntil: "installed_until"
        case .installedUntilIfLocked: "installed_until_if_locked"
        case .reengagedFrom: "reengaged_from"
        case .reengagedUntil: "reengaged_until"
        case .reengagedUntilIfLocked: "reengaged_until_if_locked"
        case .revenueKind: "revenue_kind"
        case .respelled: "respelled"
        case .illegal: "illegal"
        case .unknownType: "unknown_type"
        default: ""
        }
    }
}

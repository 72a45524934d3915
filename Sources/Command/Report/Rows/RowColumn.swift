/// The columns of a postback's row, in their order. Whoever reads rows relies on it: a column is never renamed or moved,
/// and keeps its type; new ones come at the end.
package enum RowColumn: Int, CaseIterable, Sendable {
    case id, received, sender
    // As Apple tells it.
    case framework, version, adNetworkID, campaignID, sourceIdentifier, appID, transactionID, sourceAppID, sourceDomain
    case fidelityType, redownload, didWin, sequenceIndex, conversionType
    case conversionValue, coarseConversionValue, countryCode, adInteractionType
    // What is known of it beside that.
    case networkName, campaignName, adSetName, conversion, won, decoding, model, events
    case revenue, revenueMin, revenueMax, revenueEstimate, currency
    case installedFrom, installedUntil, installedUntilIfLocked
    case reengagedFrom, reengagedUntil, reengagedUntilIfLocked

    package var name: StaticString {
        switch self {
        case .id: "id"
        case .received: "received"
        case .sender: "sender"
        case .framework: "framework"
        case .version: "version"
        case .adNetworkID: "ad_network_id"
        case .campaignID: "campaign_id"
        case .sourceIdentifier: "source_identifier"
        case .appID: "app_id"
        case .transactionID: "transaction_id"
        case .sourceAppID: "source_app_id"
        case .sourceDomain: "source_domain"
        case .fidelityType: "fidelity_type"
        case .redownload: "redownload"
        case .didWin: "did_win"
        case .sequenceIndex: "postback_sequence_index"
        case .conversionType: "conversion_type"
        case .conversionValue: "conversion_value"
        case .coarseConversionValue: "coarse_conversion_value"
        case .countryCode: "country_code"
        case .adInteractionType: "ad_interaction_type"
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
        }
    }
}

/// What a partner's URL may have in its query, in braces.
package enum PartnerPlaceholder: UInt8, CaseIterable, Sendable {
    /// The id, which every URL of a GET has: by it a partner recognises a repeated notification.
    case id
    case network, adNetwork, framework, version, transaction, campaign, sourceIdentifier, sourceApp, sourceDomain, app
    case window, fine, coarse, didWin, redownload, conversionType, fidelity, interaction, country, received
    case decoding, model, events, revenueKind, revenueMin, revenueMax, currency

    package var name: StaticString {
        switch self {
        case .id: "id"
        case .network: "network"
        case .adNetwork: "ad_network"
        case .framework: "framework"
        case .version: "version"
        case .transaction: "transaction"
        case .campaign: "campaign"
        case .sourceIdentifier: "source_identifier"
        case .sourceApp: "source_app"
        case .sourceDomain: "source_domain"
        case .app: "app"
        case .window: "window"
        case .fine: "fine"
        case .coarse: "coarse"
        case .didWin: "did_win"
        case .redownload: "redownload"
        case .conversionType: "conversion_type"
        case .fidelity: "fidelity"
        case .interaction: "interaction"
        case .country: "country"
        case .received: "received"
        case .decoding: "decoding"
        case .model: "model"
        case .events: "events"
        case .revenueKind: "revenue_kind"
        case .revenueMin: "revenue_min"
        case .revenueMax: "revenue_max"
        case .currency: "currency"
        }
    }
}

/// What stands for each placeholder in one call of a partner; nil stands for nothing.
package struct PartnerValues {
    private var texts = [[UInt8]?](repeating: nil, count: PartnerPlaceholder.allCases.count)

    package init() {}

    package subscript(placeholder: PartnerPlaceholder) -> [UInt8]? {
        get { texts[Int(placeholder.rawValue)] }
        set { texts[Int(placeholder.rawValue)] = newValue }
    }
}

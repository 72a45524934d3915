/// The dimension by which a network's lines are divided.
package enum ReportDimension {
    case campaign
    /// The country in the postback, which Apple reports only for large crowds.
    case country
    /// The app that showed the ad.
    case sourceApp

    var word: StaticString {
        switch self {
        case .campaign: "campaign"
        case .country: "country"
        case .sourceApp: "source app"
        }
    }

    var plural: StaticString {
        switch self {
        case .campaign: "campaigns"
        case .country: "countries"
        case .sourceApp: "source apps"
        }
    }

    var title: StaticString {
        switch self {
        case .campaign: "Campaign"
        case .country: "Country"
        case .sourceApp: "Source app"
        }
    }

    /// The title of a line whose dimension the postbacks did not report.
    var untold: StaticString {
        switch self {
        case .campaign: "no campaign"
        case .country: "country not reported"
        case .sourceApp: "source app not reported"
        }
    }

    /// The keys in JSON: of a network's lines, and of a line's identifier.
    var keys: (lines: StaticString, line: StaticString) {
        switch self {
        case .campaign: ("campaigns", "identifier")
        case .country: ("countries", "country")
        case .sourceApp: ("source_apps", "source_app")
        }
    }
}

/// The dimension by which a network's lines are divided.
package enum ReportDimension {
    case campaign
    /// The country that a postback tells, where the crowd is large enough.
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

    var title: StaticString {
        switch self {
        case .campaign: "Campaign"
        case .country: "Country"
        case .sourceApp: "Source app"
        }
    }

    /// What a line is called of which a postback told nothing.
    var untold: StaticString {
        switch self {
        case .campaign: "no campaign"
        case .country: "country not reported"
        case .sourceApp: "source app not reported"
        }
    }

    /// The keys in JSON of a network's lines, and of what one is.
    var keys: (lines: StaticString, line: StaticString) {
        switch self {
        case .campaign: ("campaigns", "identifier")
        case .country: ("countries", "country")
        case .sourceApp: ("source_apps", "source_app")
        }
    }
}

/// The field by which a report divides a network's postbacks into lines.
package enum ReportDimension {
    case campaign
    /// The country in the postback, which Apple reports only for large crowds.
    case country
    /// The app that showed the ad.
    case sourceApp

    var word: StaticString { words.word }
    var plural: StaticString { words.plural }
    var title: StaticString { words.title }
    /// The title of the line for postbacks that do not carry the field, such as "country not reported".
    var untold: StaticString { words.untold }

    private var words: (word: StaticString, plural: StaticString, title: StaticString, untold: StaticString) {
        switch self {
        case .campaign: ("campaign", "campaigns", "Campaign", "no campaign")
        case .country: ("country", "countries", "Country", "country not reported")
        case .sourceApp: ("source app", "source apps", "Source app", "source app not reported")
        }
    }

    /// The JSON keys of a network's array of lines, such as "campaigns", and of a line's name, such as "identifier".
    var keys: (lines: StaticString, line: StaticString) {
        switch self {
        case .campaign: ("campaigns", "identifier")
        case .country: ("countries", "country")
        case .sourceApp: ("source_apps", "source_app")
        }
    }
}

import SKANCommandRows
import SKANCore

extension ReportLine {
    /// The title of a campaign with its network, "Autumn (39), Example Ads"; for other lines the title alone.
    var titleWithNetwork: Message {
        let title = Message(utf8: title)
        return level == .campaign ? "\(title), \(Message(utf8: networkTitle))" : title
    }
}

/// Joins titles, of which it names at most ten: "Autumn (39), Example Ads; Winter (40), Example Ads; and 2 more".
func namedTitles(_ titles: [Message]) -> Message {
    let shown = 10
    var text: Message = ""
    for (place, title) in titles.prefix(shown).enumerated() {
        let separator: StaticString = place == 0 ? "" : "; "
        text = "\(text)\(separator)\(title)"
    }
    return titles.count > shown ? "\(text); and \((titles.count - shown).readable) more" : text
}

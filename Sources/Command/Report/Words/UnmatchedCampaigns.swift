internal import SKANCommandRows
internal import SKANCore

/// Campaigns of the campaigns' file that no counted postback is of: they may not have begun, or are misspelt.
struct UnmatchedCampaigns {
    /// The first ones, each with its network.
    let titles: [Message]
    let count: Int

    private static var shown: Int { 20 }

    init(_ lines: [ReportLine]) {
        var titles: [Message] = []
        var count = 0
        for line in lines where line.level == .campaign && !line.counts.hasPostbacks {
            if count < UnmatchedCampaigns.shown { titles.append(line.titleWithNetwork) }
            count += 1
        }
        self.titles = titles
        self.count = count
    }

    static var what: StaticString { "Campaigns of the file that no counted postback is of" }

    /// How many there are beside those that are shown; nil where there are none.
    var more: Message? { count > titles.count ? "and \((count - titles.count).readable) more" : nil }
}

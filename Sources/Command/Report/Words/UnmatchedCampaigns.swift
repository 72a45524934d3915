import SKANCommandRows
import SKANCore

/// The campaigns in the campaigns' file without counted postbacks. Such a campaign may not have begun yet, or its
/// identifier may be misspelt in the file.
struct UnmatchedCampaigns {
    /// The first campaigns, each with its network.
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

    /// nil if all campaigns are shown.
    var more: Message? { count > titles.count ? "and \((count - titles.count).readable) more" : nil }
}

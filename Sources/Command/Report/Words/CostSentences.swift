import SKANCommandOutput
import SKANCommandRows
import SKANCore

extension Report {
    /// Sentences about costs that are not counted, and about costs without a date or an app. The latter are counted in
    /// full, although they can belong to another period or app.
    var costSentences: [Message] {
        var sentences: [Message] = []
        if costs.areOfCampaignsAlone {
            sentences.append("Costs are of campaigns, so this report by \(dimension.word) has none.")
        }
        if let unreported = costs.unreported {
            sentences.append(
                """
                Costs of \(amount(unreported)) are not counted yet: they are for installs of the last days, whose \
                postbacks arrive three to four days after the first launch.
                """)
        }
        if let outside = costs.outside {
            sentences.append(
                """
                Costs of \(amount(outside)) are not counted: postbacks of installs of these days arrive before or \
                after the time that the report is about.
                """)
        }
        if let withoutDate = costs.withoutDate, filter.from != nil || filter.to != nil {
            sentences.append(
                """
                Costs of \(amount(withoutDate)) have no date and count in full, as if they were of the time that the \
                report is about. Give them in a column "date" to have only those of this time counted.
                """)
        }
        if filter.app != nil, let shared = costs.withoutApp {
            sentences.append(
                """
                Costs of \(amount(shared)) name no app and count as if they were of this one. Give them in a column \
                "app" to have only those of this app counted.
                """)
        }
        return sentences
    }

    /// The sentence about costs that name no app, and so are in no app's figures; nil if there are no such costs, or
    /// only one app.
    var sharedCosts: Message? {
        guard !apps.isEmpty, let shared = costs.withoutApp else { return nil }
        return """
            Costs of \(amount(shared)) name no app and are in the figures of none. Give them in a column "app" of the \
            file of campaigns.
            """
    }

    private func amount(_ money: Money) -> Message {
        currency == nil ? money.readable(places: 2) : "\(money.readable(places: 2)) \(currencyText)"
    }
}

import SKANCommandRows
import SKANCore

extension ChartSubject {
    static var installs: ChartSubject {
        ChartSubject(
            id: "installs", what: "Installs",
            description: "One bar for each line: installs, redownloads and re-engagements that were won.",
            series: ["installs", "redownloads", "re-engagements"], bars: .stacked, group: .installs
        ) { figures in
            [.install, .redownload, .reengagement].map { ChartFigure(count: figures.conversions[$0]) }
        }
    }

    /// Winning and non-winning postbacks by line, of window 0 alone: only winners send postbacks of windows 1 and 2.
    static var winningByLine: ChartSubject {
        winning("Winning and non-winning postbacks of window 0", each: "line", isOfFirstWindow: true)
    }

    static var winningByWindow: ChartSubject {
        winning("Winning and non-winning postbacks", each: "window", isOfFirstWindow: false)
    }

    private static func winning(
        _ what: StaticString, each: StaticString, isOfFirstWindow: Bool
    ) -> ChartSubject {
        ChartSubject(
            id: "winning", what: what,
            description: "Two bars for each \(each): postbacks of ads that won, and of ads that did not.",
            series: ["winning", "non-winning"], bars: .beside, group: .installs, isOfFirstWindow: isOfFirstWindow
        ) { figures in
            [ChartFigure(count: figures.winning), ChartFigure(count: figures.lost)]
        }
    }

    static var values: ChartSubject {
        values("values", "Fine, coarse and hidden values", of: "postbacks of a line", .installs)
    }

    static var reengagementValues: ChartSubject {
        values(
            "tap-values", "Fine, coarse and hidden values of re-engagements", of: "re-engagements of a window",
            .reengagements)
    }

    private static func values(
        _ id: StaticString, _ what: StaticString, of whole: StaticString, _ group: ConversionGroup
    ) -> ChartSubject {
        ChartSubject(
            id: id, what: what,
            description: """
                Each bar is all winning \(whole), divided into those with a fine value, with a coarse value alone, and \
                with a hidden value.
                """,
            series: ["fine", "coarse", "hidden"], bars: .whole, group: group
        ) { figures in
            [ChartFigure(count: figures.fine), ChartFigure(count: figures.coarse), hidden(figures)]
        }
    }

    private static func hidden(_ figures: Figures) -> ChartFigure {
        guard let share = percentText(figures.hidden, of: figures.winning) else {
            return ChartFigure(count: figures.hidden)
        }
        return ChartFigure(size: Double(figures.hidden), text: "\(figures.hidden.readable) (\(share)%)")
    }

    static func revenue(isExtrapolated: Bool) -> ChartSubject {
        revenue("revenue", "Revenue that values report", each: "line", .installs, isExtrapolated: isExtrapolated)
    }

    static var reengagementRevenue: ChartSubject {
        revenue(
            "tap-revenue", "Revenue that values of re-engagements report", each: "window", .reengagements,
            isExtrapolated: true)
    }

    private static func revenue(
        _ id: StaticString, _ what: StaticString, each: StaticString, _ group: ConversionGroup, isExtrapolated: Bool
    ) -> ChartSubject {
        var description: Message = "A bar for each \(each): what values report at least."
        var series: [StaticString] = ["at least"]
        if isExtrapolated {
            description = "Two bars for each \(each): what values report at least, and that extrapolated to all values."
            series.append("extrapolated")
        }
        return ChartSubject(
            id: id, what: what, description: description, series: series, bars: .beside, group: group,
            withoutFigures: "No known revenue"
        ) { figures in
            var amounts = [figures.least]
            if isExtrapolated { amounts.append(figures.extrapolated) }
            return amounts.map { $0.map(amount) ?? .unknown }
        }
    }

    private static func amount(_ money: Money) -> ChartFigure {
        ChartFigure(size: Double(money.units), text: money.readable(places: 2))
    }
}

import SKANCommandRows
import SKANCore
import SKANTruth

extension Report {
    /// Return on ad spend of the campaigns that have a cost: the estimate to date with the app's own installs,
    /// otherwise the lower limit that values report.
    var returnChart: Chart {
        let isEstimated = basis != nil
        let chart = Chart(
            id: "return-campaign",
            title: isEstimated
                ? "Estimated return on ad spend to date, by campaign" : "Return on ad spend at least, by campaign",
            description: isEstimated
                ? ChartSubject.ofIntervals
                : "A bar for each campaign: what its values stand for at least, of its cost.",
            labelHead: "Campaign", series: [isEstimated ? "estimate (95 % interval)" : "at least"])
        return chartOfLargest(.campaign, chart, without: isEstimated ? "No estimate" : "No known revenue") { line in
            guard let cost = line.paid.cost, cost.units > 0, line.counts.hasPostbacks else { return nil }
            if isEstimated {
                return [line.brought?.returnOnAdSpend(.toDate, cost).map { ChartFigure($0, .share) } ?? .unknown]
            }
            guard let least = Figures(line.paid, .installs).least else { return [.unknown] }
            let share = Double(least.units) / Double(cost.units)
            return [ChartFigure(size: share, text: line.returnOnAdSpend(least)?.readable)]
        }
    }
}

extension Report {
    /// The revenue that the return on ad spend is computed from: the estimate to date, or what values report.
    var revenueBesideReturn: Chart {
        basis == nil
            ? chartByCampaign(.revenue(isExtrapolated: isExtrapolated))
            : estimateChart(.campaign, dimension.word, .toDate)
    }
}

extension ChartSubject {
    static var ofIntervals: Message {
        "A bar for each line: the estimate, with a line from the lower to the upper end of its 95 % interval."
    }
}

extension ChartFigure {
    /// An estimate with its interval.
    init(_ figure: BroughtFigure, _ unit: FigureUnit) {
        self.init(size: max(figure.estimate, 0), text: figure.longText(unit))
        interval = (max(figure.low, 0), max(figure.high, 0))
    }
}

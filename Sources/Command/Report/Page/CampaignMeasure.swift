import SKANCommandRows
import SKANCore
import SKANTruth

/// What the page measures campaigns by: return on ad spend if costs are given, otherwise revenue of an install. It is
/// estimated with the app's own installs; without these, values prove what it is at least.
struct CampaignMeasure {
    let isReturn: Bool
    let isEstimated: Bool

    var unit: FigureUnit { isReturn ? .share : .amount }

    /// "Return on ad spend", "Revenue of an install".
    var name: StaticString { isReturn ? "Return on ad spend" : "Revenue of an install" }

    /// The figure of a line until a horizon; nil if it is not known. Without own installs it is the range from what
    /// values prove to what is extrapolated, the same for every horizon.
    func figure(_ line: ReportLine, _ horizon: Horizon) -> BroughtFigure? {
        guard let divisor = divisor(line), divisor > 0 else { return nil }
        guard isEstimated else { return proven(line, divisor) }
        let figures = line.brought?.figures
        let answer = isReturn ? figures?.paid[horizon.rawValue] : figures?[horizon]
        return answer?.figure.map { BroughtFigure($0.estimate / divisor, ($0.low / divisor, $0.high / divisor)) }
    }

    private func proven(_ line: ReportLine, _ divisor: Double) -> BroughtFigure? {
        let figures = Figures(isReturn ? line.paid : line.counts, .installs)
        guard let least = figures.least else { return nil }
        let (low, high) = (least.amount / divisor, (figures.extrapolated ?? least).amount / divisor)
        return BroughtFigure(low, (low, max(low, high)))
    }

    /// The cost, or the number of installs and redownloads.
    private func divisor(_ line: ReportLine) -> Double? {
        isReturn ? line.paid.cost?.amount : Double(line.counts.installsWithRedownloads)
    }
}

extension Report {
    /// nil without models.
    var measure: CampaignMeasure? {
        hasRevenue ? CampaignMeasure(isReturn: hasCosts, isEstimated: basis != nil) : nil
    }

    /// The values at which charts and whiskers have a line: where revenue equals the cost, and the target.
    var measureMarks: [(value: Double, name: Message)] {
        guard let measure, measure.isReturn else { return [] }
        let targets = target.map { [(value: $0.share, name: "target \($0.percent)" as Message)] } ?? []
        return [(value: 1, name: "100%")] + targets.filter { $0.value != 1 }
    }

    /// The horizon that the page shows unless somebody chooses another one: the target's, or day 35; to date if there
    /// is no estimate until then.
    var shownHorizon: Horizon {
        total.brought?[decidedHorizon].figure != nil ? decidedHorizon : .toDate
    }
}

extension Money {
    fileprivate var amount: Double { Double(units) / Double(Money.scale) }

    /// The decimal places that people are shown: none from a thousand on.
    var shownPlaces: Int { units.magnitude < Money.scale.magnitude * 1000 ? 2 : 0 }
}

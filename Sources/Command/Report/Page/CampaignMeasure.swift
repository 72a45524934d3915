import SKANCommandRows
import SKANCore
import SKANTruth

/// The measure by which the page ranks campaigns: return on ad spend if costs are given, otherwise revenue per install.
/// The measure is estimated if a store of installs is given; otherwise it is the minimum that values prove.
struct CampaignMeasure {
    let isReturn: Bool
    let isEstimated: Bool

    var unit: FigureUnit { isReturn ? .share : .amount }

    var name: StaticString { isReturn ? "Return on ad spend" : "Revenue of an install" }

    /// Returns a line's return or revenue per install up to a horizon; nil if it is not known. Without estimates, the
    /// interval is from the proven to the extrapolated revenue, and is the same for every horizon.
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

    /// The line's cost, or its number of installs and redownloads.
    private func divisor(_ line: ReportLine) -> Double? {
        isReturn ? line.paid.cost?.amount : Double(line.counts.installsWithRedownloads)
    }
}

extension Report {
    /// nil without models.
    var measure: CampaignMeasure? {
        hasRevenue ? CampaignMeasure(isReturn: hasCosts, isEstimated: basis != nil) : nil
    }

    /// The values at which charts and whiskers have a line: a return of 100 %, at which revenue equals the cost, and
    /// the target.
    var measureMarks: [(value: Double, name: Message)] {
        guard let measure, measure.isReturn else { return [] }
        let targets = target.map { [(value: $0.share, name: "target \($0.percent)" as Message)] } ?? []
        return [(value: 1, name: "100%")] + targets.filter { $0.value != 1 }
    }

    /// The horizon that the page shows at first: the target's, or day 35 without a target. If the total has no estimate
    /// for it, the page shows the revenue to date.
    var shownHorizon: Horizon {
        total.brought?[decidedHorizon].figure != nil ? decidedHorizon : .toDate
    }
}

extension Money {
    fileprivate var amount: Double { Double(units) / Double(Money.scale) }

    /// The number of decimal places that people see of this amount: 2, or 0 for amounts from a thousand on.
    var shownPlaces: Int { units.magnitude < Money.scale.magnitude * 1000 ? 2 : 0 }
}

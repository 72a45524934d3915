import SKANCommandOutput
import SKANCommandRows
import SKANCore
import SKANTruth

/// The figures of a line, in the order of JSON and CSV. Programs that read the CSV rely on this order.
enum ReportFigure: CaseIterable {
    case winning
    case installs, redownloads, reengagements
    case notWinning
    case fine, coarse, hidden, hiddenShare, illegal
    case known, open, least, most, estimate, extrapolated, isExtrapolatedPartial
    case cost, isCostPartial, costPerInstall, returnAtLeast, returnExtrapolated
    // Estimates for each horizon.
    case estimatedRevenue, estimatedReturn, whyNoEstimate, ifHidden
    // Comparisons of campaigns by their estimates.
    case targetChance, betterChance, installsNeeded

    /// The names of the figure in each form of a report; nil if a form does not show it.
    struct Names {
        /// The column in CSV.
        var column: StaticString?
        /// The key in JSON, in the object that `object` names.
        let key: StaticString
        var object = ReportObject.line
        /// The parts of the figure that JSON and CSV have.
        var parts: [FigurePart] = [.whole]
        /// The heading of the table's column.
        var head: StaticString?
        /// The caption of the block of the table that shows the figure for each horizon.
        var caption: StaticString?
        /// The title on the page.
        var title: StaticString?
    }

    var names: Names {
        switch self {
        case .winning: Names(column: "winning", key: "winning", head: "winning")
        case .installs: Names(column: "installs", key: "installs", head: "installs", title: "Installs")
        case .redownloads:
            Names(column: "redownloads", key: "redownloads", head: "redownl.", title: "Redown\u{AD}loads")
        case .reengagements:
            Names(column: "reengagements", key: "reengagements", head: "re-engag.", title: "Re-engage\u{AD}ments")
        case .notWinning:
            Names(column: "not_winning", key: "not_winning", head: "not won", title: "Non-winning postbacks")
        case .fine: Names(column: "fine_values", key: "fine", object: .values, head: "fine")
        case .coarse: Names(column: "coarse_values", key: "coarse", object: .values, head: "coarse")
        case .hidden: Names(column: "hidden_values", key: "hidden", object: .values, head: "hidden")
        case .hiddenShare:
            Names(
                column: "hidden_share", key: "hidden_share", object: .values, head: "hidden", title: "Hidden values")
        case .illegal: Names(key: "illegal", object: .values, head: "illegal")
        case .known: Names(column: "known_revenue_values", key: "known_values", object: .revenue)
        case .open: Names(key: "without_upper_limit", object: .revenue)
        case .least:
            Names(
                column: "revenue_min", key: "min", object: .revenue, head: "revenue min",
                title: "Revenue that values report, at least")
        case .most: Names(column: "revenue_max", key: "max", object: .revenue)
        case .estimate: Names(column: "revenue_estimate", key: "estimate", object: .revenue)
        case .extrapolated:
            Names(
                column: "revenue_extrapolated", key: "extrapolated", object: .revenue, head: "extrapolated",
                title: "Revenue, extrapolated")
        case .isExtrapolatedPartial: Names(key: "extrapolated_is_partial", object: .revenue)
        case .cost: Names(column: "cost", key: "cost", head: "cost", title: "Cost")
        case .isCostPartial: Names(key: "cost_is_partial")
        case .costPerInstall:
            Names(column: "cost_per_install", key: "cost_per_install", head: "CPI", title: "Cost per install")
        case .returnAtLeast:
            Names(
                column: "return_on_ad_spend_min", key: "min", object: .returnOnAdSpend, head: "ROAS min",
                title: "Return on ad spend, at least")
        case .returnExtrapolated:
            Names(
                column: "return_on_ad_spend_extrapolated", key: "extrapolated", object: .returnOnAdSpend,
                head: "extrapolated", title: "Return on ad spend, extrapolated")
        case .estimatedRevenue:
            Names(
                column: "estimated_revenue", key: "estimate", parts: [.whole, .low, .high],
                caption: "estimated revenue of these installs, with 95 % intervals", title: "Estimated revenue")
        case .estimatedReturn:
            Names(
                column: "return_on_ad_spend", key: "estimate", object: .returnOnAdSpend, parts: [.whole, .low, .high],
                caption: "return on ad spend by these estimates", title: "Return on ad spend")
        case .whyNoEstimate: Names(column: "estimated_revenue", key: "reason", parts: [.reason])
        case .ifHidden:
            Names(
                key: "interval", object: .ifHidden, parts: [.low, .high],
                caption: "the same intervals if values were hidden for what they are",
                title: "To date, if values were hidden for what they are")
        case .targetChance:
            Names(column: "target_probability", key: "target_probability", title: "Target reached")
        case .betterChance:
            Names(
                column: "better_than_the_others", key: "better_than_the_others", head: "better",
                title: "Better than the others")
        case .installsNeeded:
            Names(key: "installs_needed", head: "installs it would take", title: "Installs needed to decide, about")
        }
    }

    /// Returns the figure of a line; nil if it is not known, or is an estimate for a horizon. `figures`: the line's
    /// figures for one group and for one window or all.
    func value(_ line: ReportLine, _ figures: Figures) -> FigureValue? {
        switch self {
        case .winning: .count(figures.winning)
        case .installs: .count(figures.conversions[.install])
        case .redownloads: .count(figures.conversions[.redownload])
        case .reengagements: .count(figures.conversions[.reengagement])
        case .notWinning: .count(figures.lost)
        case .fine: .count(figures.carried.fine)
        case .coarse: .count(figures.carried.coarse)
        case .hidden: .count(figures.carried.hidden)
        case .hiddenShare: .share(Int128(figures.withoutValue.count), Int128(figures.withoutValue.winning))
        case .illegal: .count(figures.carried.illegal)
        case .known: .count(figures.carried.priced)
        case .open: .count(figures.carried.open)
        case .least: figures.least.map { .amount($0) }
        case .most: figures.most.map { .amount($0) }
        case .estimate: figures.estimate.map { .amount($0) }
        case .extrapolated: figures.extrapolated.map { .extrapolated($0) }
        case .isExtrapolatedPartial: .truth(figures.extrapolated != nil && figures.isPartial)
        case .cost: line.counts.cost.map { .amount($0) }
        case .isCostPartial: .truth(line.isCostPartial)
        case .costPerInstall: line.costPerInstall
        case .returnAtLeast: line.returnOnAdSpend(Figures(line.paid, .installs).least)
        case .returnExtrapolated: line.returnOnAdSpend(Figures(line.paid, .installs).extrapolated)
        case .estimatedRevenue, .estimatedReturn, .whyNoEstimate, .ifHidden: nil
        case .targetChance: line.brought?.targetChance.map { .chance($0) }
        case .betterChance: line.brought?.comparison.map { .chance($0.chance) }
        case .installsNeeded: line.brought?.comparison?.needed.map { .count($0) }
        }
    }

    /// Returns the figure as an estimate up to a horizon, for installs that had this cost; nil if it is not known.
    func value(_ brought: BroughtAnswers, _ cost: Money?, _ horizon: Horizon) -> FigureValue? {
        switch self {
        case .estimatedRevenue, .whyNoEstimate: .estimate(brought[horizon], unit)
        case .estimatedReturn: brought.returnOnAdSpend(horizon, cost).map { .estimate(.figure($0), unit) }
        case .ifHidden:
            brought[horizon].figure.flatMap { figure in
                figure.worst.map { .interval(BroughtFigure(figure.estimate, $0), .amount) }
            }
        default: nil
        }
    }

    var unit: FigureUnit { self == .estimatedReturn ? .share : .amount }

    /// Whether the figure is an estimate with an interval beside it, not an interval alone.
    var hasInterval: Bool { names.parts.contains(.whole) && names.parts.contains(.high) }

    /// The things that a figure counts or compares.
    enum Scope {
        /// Postbacks, for each group and window.
        case postbacks
        /// Conversions of both groups. The figure for all windows is the figure of window 0.
        case conversions
        /// The line as a whole.
        case line
        /// The line's estimates for each horizon.
        case horizons
        /// The line's estimates compared with those of other lines.
        case comparison
    }

    var scope: Scope {
        switch self {
        case .installs, .redownloads, .reengagements: .conversions
        case .cost, .isCostPartial, .costPerInstall, .returnAtLeast, .returnExtrapolated: .line
        case .estimatedRevenue, .estimatedReturn, .whyNoEstimate, .ifHidden: .horizons
        case .targetChance, .betterChance, .installsNeeded: .comparison
        default: .postbacks
        }
    }

    static var ofPostbacks: [ReportFigure] { allCases.filter { $0.scope == .postbacks } }
    /// The figures that need no store of installs.
    static var counted: [ReportFigure] { allCases.filter { $0.scope != .horizons && $0.scope != .comparison } }
    static var ofHorizons: [ReportFigure] { allCases.filter { $0.scope == .horizons } }
    static var ofComparisons: [ReportFigure] { allCases.filter { $0.scope == .comparison } }
}

/// The objects in JSON that hold figures.
enum ReportObject {
    case line, values, revenue, returnOnAdSpend, ifHidden

    /// The object's key; nil for the line itself.
    var key: StaticString? {
        switch self {
        case .line: nil
        case .values: "values"
        case .revenue: "revenue"
        case .returnOnAdSpend: "return_on_ad_spend"
        case .ifHidden: "if_hidden_for_their_value"
        }
    }
}

extension Report {
    /// Returns the figures of lines that tables and the page show. Only installs have estimates, so figures of
    /// re-engagements are extrapolated even if there are estimates.
    func shownFigures(_ group: ConversionGroup) -> [ReportFigure] {
        var shown: [ReportFigure] = group == .installs ? [.installs, .redownloads] : []
        shown += [.reengagements, .notWinning, .hiddenShare] + revenueFigures(group)
        guard group == .installs, hasCosts else { return shown }
        shown += [.cost, .costPerInstall]
        if hasRevenue { shown.append(.returnAtLeast) }
        if hasRevenue, isExtrapolated { shown.append(.returnExtrapolated) }
        return shown
    }

    /// The estimates that tables and the page show, each with the horizons for which it is shown.
    var shownEstimates: [(figure: ReportFigure, horizons: [Horizon])] {
        ReportFigure.ofHorizons.compactMap { figure -> (figure: ReportFigure, horizons: [Horizon])? in
            switch figure {
            case .whyNoEstimate: nil
            case .estimatedReturn where !hasCosts: nil
            case .ifHidden:
                lines.contains { $0.brought?[.toDate].figure?.worst != nil }
                    ? (figure, Horizon.ofWindows + [.toDate]) : nil
            default: (figure, horizons)
            }
        }
    }

    var shownComparisons: [ReportFigure] {
        ReportFigure.ofComparisons.filter { $0 != .targetChance || target != nil }
    }

    func revenueFigures(_ group: ConversionGroup) -> [ReportFigure] {
        guard hasRevenue else { return [] }
        return isExtrapolated || group == .reengagements ? [.least, .extrapolated] : [.least]
    }
}

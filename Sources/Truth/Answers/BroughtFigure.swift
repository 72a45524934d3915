package import SKANCore

/// The estimated revenue of a line's installs up to a horizon, in the models' currency, with an interval that contains
/// the true amount in 95 of 100 cases.
package struct BroughtFigure {
    package let estimate: Double
    package let low: Double
    package let high: Double
    /// A wider interval, which allows for values that were hidden because they are low or high, and not because the
    /// crowd was small; nil if no value is hidden.
    package var worst: (low: Double, high: Double)?

    /// Widens the interval to include the estimate, which can be outside if a few installs bring nearly all revenue.
    package init(_ estimate: Double, _ interval: (low: Double, high: Double)) {
        self.estimate = estimate
        low = min(interval.low, estimate)
        high = max(interval.high, estimate)
    }
}

package enum NoEstimate: CaseIterable {
    case severalApps
    /// No postback of the line reports an install or a redownload.
    case noInstalls
    /// No postback of the app carries a value.
    case noValues
    /// More than a twentieth of the line's installs have a model that the report was not given.
    case noInstallsOfModel
    /// More than a twentieth of the line's installs have a value that fewer than ten of the app's own installs have, or
    /// for which older installs do not show the later revenue.
    case tooFewInstalls
    /// Postbacks report more installs, or more revenue, than the store has.
    case moreThanTheStore
}

package enum BroughtAnswer {
    case figure(BroughtFigure)
    /// `needed`: about how many more of the app's own installs an estimate needs; nil if the number is not known.
    case none(NoEstimate, needed: UInt64? = nil)

    package var figure: BroughtFigure? { if case .figure(let figure) = self { figure } else { nil } }
    package var whyNot: NoEstimate? { if case .none(let why, _) = self { why } else { nil } }
    package var needed: UInt64? { if case .none(_, let needed) = self { needed } else { nil } }
}

/// The estimated revenue of some installs, one answer for each horizon: `all` is for all of them, `paid` for those
/// whose campaigns have a cost.
package struct BroughtAnswers {
    package let all: [BroughtAnswer]
    package let paid: [BroughtAnswer]

    package init(all: [BroughtAnswer], paid: [BroughtAnswer]) { (self.all, self.paid) = (all, paid) }

    package subscript(horizon: Horizon) -> BroughtAnswer { all[horizon.rawValue] }

    /// The return on ad spend of the campaigns that have a cost; nil without a cost or an estimate.
    package func returnOnAdSpend(_ horizon: Horizon, _ cost: Money?) -> BroughtFigure? {
        guard let cost, cost.units > 0, let figure = paid[horizon.rawValue].figure else { return nil }
        let spent = Double(cost.units) / Double(Money.scale)
        return BroughtFigure(figure.estimate / spent, (figure.low / spent, figure.high / spent))
    }
}

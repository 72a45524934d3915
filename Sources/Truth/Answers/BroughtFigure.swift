package import SKANCore

/// What a line's installs brought until a horizon: an estimate and where the truth is in 95 of 100 cases, or why there
/// is none. In the models' currency.
package struct BroughtFigure {
    package let estimate: Double
    package let low: Double
    package let high: Double
    /// The interval if values were hidden for what they are; nil where none is hidden.
    package var worst: (low: Double, high: Double)?

    /// Where a few installs bring nearly all, the mean may be beyond the ends: the interval reaches as far then.
    package init(_ estimate: Double, _ interval: (low: Double, high: Double)) {
        self.estimate = estimate
        low = min(interval.low, estimate)
        high = max(interval.high, estimate)
    }
}

/// Why there is no estimate.
package enum NoEstimate: CaseIterable {
    /// The postbacks are of several apps.
    case severalApps
    /// The line has no install or redownload of which a postback told.
    case noInstalls
    /// No postback of the app tells a value.
    case noValues
    /// More than a twentieth of the line's installs is of a model without installs, or one that was not given.
    case noInstallsOfModel
    /// More than a twentieth of the line's installs has values that fewer than ten of the app's own stand behind.
    case tooFewInstalls
    /// Postbacks tell of more installs, or of more revenue, than the app's own are.
    case moreThanTheStore
}

/// An estimate, or why there is none.
package enum BroughtAnswer {
    case figure(BroughtFigure)
    /// `needed`: about so many more own installs would do, where that can be told.
    case none(NoEstimate, needed: UInt64? = nil)

    package var figure: BroughtFigure? { if case .figure(let figure) = self { figure } else { nil } }
    package var whyNot: NoEstimate? { if case .none(let why, _) = self { why } else { nil } }
    package var needed: UInt64? { if case .none(_, let needed) = self { needed } else { nil } }
}

/// What some installs brought, by horizon; and those of campaigns that have a cost.
package struct BroughtAnswers {
    package let all: [BroughtAnswer]
    package let paid: [BroughtAnswer]

    package init(all: [BroughtAnswer], paid: [BroughtAnswer]) { (self.all, self.paid) = (all, paid) }

    package subscript(horizon: Horizon) -> BroughtAnswer { all[horizon.rawValue] }

    /// The return of the campaigns that have a cost; nil where there is none, or no estimate.
    package func returnOnAdSpend(_ horizon: Horizon, _ cost: Money?) -> BroughtFigure? {
        guard let cost, cost.units > 0, let figure = paid[horizon.rawValue].figure else { return nil }
        let spent = Double(cost.units) / Double(Money.scale)
        return BroughtFigure(figure.estimate / spent, (figure.low / spent, figure.high / spent))
    }
}

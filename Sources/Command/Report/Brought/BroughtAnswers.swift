internal import SKANCore

/// What some installs brought, by horizon; and those of campaigns that have a cost.
struct BroughtAnswers {
    let all: [BroughtAnswer]
    let paid: [BroughtAnswer]

    subscript(horizon: Horizon) -> BroughtAnswer { all[horizon.rawValue] }

    /// The return of the campaigns that have a cost; nil where there is none, or no estimate.
    func returnOnAdSpend(_ horizon: Horizon, _ cost: Money?) -> BroughtFigure? {
        guard let cost, cost.units > 0, let figure = paid[horizon.rawValue].figure else { return nil }
        let spent = Double(cost.units) / Double(Money.scale)
        return BroughtFigure(figure.estimate / spent, (figure.low / spent, figure.high / spent))
    }
}

internal import SKANCore

/// Estimated revenue of a line's installs until a horizon, in the models' currency, with the interval that contains the
/// true amount in 95 of 100 cases.
struct BroughtFigure {
    let estimate: Double
    let low: Double
    let high: Double
    /// The interval if values were hidden because of what they are; nil if no value is hidden.
    var worst: (low: Double, high: Double)?

    /// If a few installs bring nearly all revenue, the mean may lie outside the interval, which is then widened to it.
    init(_ estimate: Double, _ interval: (low: Double, high: Double)) {
        self.estimate = estimate
        low = min(interval.low, estimate)
        high = max(interval.high, estimate)
    }

    /// The amount as text; nil if it is too large.
    static func text(_ amount: Double, places: Int = 2) -> Message? {
        guard let money = Money(exactly: amount.magnitude) else { return nil }
        let text = money.text(places: places)
        let isNothing = text.utf8.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
        return amount < 0 && !isNothing ? "-\(text)" : text
    }
}

/// Why there is no estimate.
enum NoEstimate: CaseIterable {
    /// The postbacks are of several apps.
    case severalApps
    /// No postback of the line reports an install or a redownload.
    case noInstalls
    /// No postback of the app carries a value.
    case noValues
    /// More than a twentieth of the line's installs have a model that was not given or that has no own installs.
    case noInstallsOfModel
    /// More than a twentieth of the line's installs have values that fewer than ten own installs have.
    case tooFewInstalls
    /// Postbacks report more installs, or more revenue, than the store has.
    case moreThanTheStore

    var key: StaticString {
        switch self {
        case .severalApps: "several_apps"
        case .noInstalls: "no_installs"
        case .noValues: "no_values"
        case .noInstallsOfModel: "no_installs_of_model"
        case .tooFewInstalls: "too_few_installs"
        case .moreThanTheStore: "more_than_the_store"
        }
    }
}

/// An estimate, or why there is none.
enum BroughtAnswer {
    case figure(BroughtFigure)
    /// `needed`: about how many more own installs would make an estimate possible; nil if that is not known.
    case none(NoEstimate, needed: UInt64? = nil)

    var figure: BroughtFigure? { if case .figure(let figure) = self { figure } else { nil } }
    var whyNot: NoEstimate? { if case .none(let why, _) = self { why } else { nil } }
    var needed: UInt64? { if case .none(_, let needed) = self { needed } else { nil } }
}

/// Estimated revenue of some installs by horizon: of all, and of those whose campaigns have a cost.
struct BroughtAnswers {
    let all: [BroughtAnswer]
    let paid: [BroughtAnswer]

    subscript(horizon: Horizon) -> BroughtAnswer { all[horizon.rawValue] }

    /// The return on ad spend of the campaigns that have a cost; nil without a cost or an estimate.
    func returnOnAdSpend(_ horizon: Horizon, _ cost: Money?) -> BroughtFigure? {
        guard let cost, cost.units > 0, let figure = paid[horizon.rawValue].figure else { return nil }
        let spent = Double(cost.units) / Double(Money.scale)
        return BroughtFigure(figure.estimate / spent, (figure.low / spent, figure.high / spent))
    }
}

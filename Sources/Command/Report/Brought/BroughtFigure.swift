internal import SKANCommandRows
internal import SKANCore

/// What a line's installs brought until a horizon: an estimate and where the truth is in 95 of 100 cases, or why there
/// is none. In the models' currency.
struct BroughtFigure {
    let estimate: Double
    let low: Double
    let high: Double
    /// The interval if values were hidden for what they are; nil where none is hidden.
    var worst: (low: Double, high: Double)?

    /// Where a few installs bring nearly all, the mean may be beyond the ends: the interval reaches as far then.
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
    /// `needed`: about so many more own installs would do, where that can be told.
    case none(NoEstimate, needed: UInt64? = nil)

    var figure: BroughtFigure? { if case .figure(let figure) = self { figure } else { nil } }
    var whyNot: NoEstimate? { if case .none(let why, _) = self { why } else { nil } }
    var needed: UInt64? { if case .none(_, let needed) = self { needed } else { nil } }
}

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

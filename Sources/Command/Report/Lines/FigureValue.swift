import SKANCommandOutput
import SKANCommandRows
import SKANCore
import SKANTruth

/// The value of a figure. JSON and CSV show all its decimal places; people see it rounded, with commas.
enum FigureValue {
    case count(UInt64)
    case amount(Money)
    /// An extrapolated sum, rounded to hundredths in every form.
    case extrapolated(Money)
    /// An amount per item: the dividend and the divisor, whose quotient is in units of the currency.
    case perUnit(Int128, Int128)
    /// A share: the part and the whole.
    case share(Int128, Int128)
    case truth(Bool)
    /// An estimate with its interval, or the reason why there is none.
    case estimate(BroughtAnswer, FigureUnit)
    /// The interval of an estimate, without the estimate.
    case interval(BroughtFigure, FigureUnit)
    /// A probability from 0 to 1.
    case chance(Double)

    /// The text in JSON and CSV; nil if the divisor is 0, if there is no estimate, and for an interval, which has two
    /// texts.
    var exact: Message? {
        switch self {
        case .count(let count): "\(count)"
        case .amount(let amount): amount.exactText
        case .extrapolated(let amount): amount.text(places: 2)
        case .perUnit(let over, let under), .share(let over, let under): quotientText(over, under, places: 4)
        case .truth(let truth): truth ? "true" : "false"
        case .estimate(let answer, let unit): answer.figure.flatMap { unit.exact($0.estimate) }
        case .interval: nil
        case .chance(let chance): BroughtFigure.text(chance, places: 4)
        }
    }

    /// Returns the text of a part of the value in JSON and CSV; nil if the value has no such part.
    func exact(_ part: FigurePart) -> Message? {
        switch (self, part) {
        case (_, .whole): exact
        case (.estimate(let answer, let unit), .low): answer.figure.flatMap { unit.exact($0.low) }
        case (.estimate(let answer, let unit), .high): answer.figure.flatMap { unit.exact($0.high) }
        case (.estimate(let answer, _), .reason): answer.whyNot.map { "\($0.key)" }
        case (.interval(let figure, let unit), .low): unit.exact(figure.low)
        case (.interval(let figure, let unit), .high): unit.exact(figure.high)
        default: nil
        }
    }

    /// The text for people, with amounts rounded to hundredths; nil if the divisor is 0 or there is no estimate.
    var readable: Message? {
        switch self {
        case .count(let count): count.readable
        case .amount(let amount), .extrapolated(let amount): amount.readable(places: 2)
        case .perUnit(let over, let under): quotientText(over, under, places: 2)?.grouped
        case .share(let part, let whole): percentText(part, of: whole).map { "\($0.grouped)%" }
        case .truth: exact
        case .estimate(let answer, let unit): answer.figure?.longEstimate(unit)
        case .interval(let figure, let unit): figure.longInterval(unit)
        case .chance(let chance): chanceText(chance)
        }
    }

    /// The text in two columns of the table. For an estimate, the second column has its interval or the reason why
    /// there is none; for other values it is nil.
    var short: (text: Message?, beside: Message?) {
        switch self {
        case .estimate(let answer, let unit):
            (
                answer.figure?.shortText(unit),
                answer.figure?.shortInterval(unit) ?? answer.whyNot.map { "\($0.short)" }
            )
        case .interval(let figure, let unit): (figure.shortInterval(unit), nil)
        default: (readableInFull, nil)
        }
    }

    /// The text in the table, which shows all decimal places of a sum.
    var readableInFull: Message? {
        if case .amount(let amount) = self { amount.exactText.grouped } else { readable }
    }

    /// Whether the value is an amount of money in the report's currency.
    var isMoney: Bool {
        switch self {
        case .amount, .extrapolated, .perUnit: true
        default: false
        }
    }

    /// Whether the value is written as a string in JSON. Amounts are, so that they stay exact; all estimated values are
    /// strings, too.
    var isText: Bool {
        switch self {
        case .estimate, .interval, .chance: true
        default: isMoney
        }
    }
}

/// A part of a figure that is a value of its own in JSON and CSV.
enum FigurePart {
    /// The figure itself, or the estimate without its interval.
    case whole
    /// The lower and upper ends of the estimate's interval.
    case low, high
    /// The reason why there is no estimate.
    case reason

    /// The key in JSON; nil if the part has the figure's key.
    var key: StaticString? {
        switch self {
        case .low: "low"
        case .high: "high"
        case .whole, .reason: nil
        }
    }

    /// The suffix of the column's name in CSV.
    var columnEnd: StaticString {
        switch self {
        case .whole: ""
        case .low: "_low"
        case .high: "_high"
        case .reason: "_reason"
        }
    }
}

/// Returns a probability in percent, with a decimal place below 1 and above 99, so that it never reads 0 or 100.
private func chanceText(_ chance: Double) -> Message {
    let places = chance > 0.99 || chance < 0.01 ? 1 : 0
    return "\(BroughtFigure.text(chance * 100, places: places) ?? "?")%"
}

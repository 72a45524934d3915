import SKANCommandRows
import SKANCore
import SKANTruth

extension NoEstimate {
    /// The reason's name in JSON and CSV.
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

    /// A short text for a cell of a table.
    var short: StaticString {
        switch self {
        case .severalApps: "several apps"
        case .noInstalls: "no installs"
        case .noValues: "no values"
        case .noInstallsOfModel: "other models"
        case .tooFewInstalls: "too few"
        case .moreThanTheStore: "over the store"
        }
    }

    var sentence: StaticString {
        switch self {
        case .severalApps: "the postbacks are of several apps; give --app"
        case .noInstalls: "no postback reports an install or redownload"
        case .noValues: "no postback of the app tells a value"
        case .noInstallsOfModel: "more than 5 % of the installs are of models without own installs, or not given"
        case .tooFewInstalls: "more than 5 % of the installs have values that fewer than 10 own installs have"
        case .moreThanTheStore: "the campaigns are said to have brought more than the store of own installs has"
        }
    }
}

extension BroughtFigure {
    /// Returns an amount as text; nil if it is too large.
    static func text(_ amount: Double, places: Int = 2) -> Message? {
        guard let money = Money(exactly: amount.magnitude) else { return nil }
        let text = money.text(places: places)
        let isNothing = text.utf8.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
        return amount < 0 && !isNothing ? "-\(text)" : text
    }

    /// Returns the estimate as tables show it, without decimal places if the interval's upper end is large.
    func shortText(_ unit: FigureUnit) -> Message? { unit.text(estimate, places: shortPlaces(unit)) }

    /// Returns the interval as tables show it: "11.02..17.91".
    func shortInterval(_ unit: FigureUnit) -> Message? {
        let places = shortPlaces(unit)
        guard let low = unit.text(low, places: places), let high = unit.text(high, places: places) else { return nil }
        return "\(low)..\(high)"
    }

    /// Returns the estimate with its interval: "1,014.20 (911.02 to 1,117.91)", "62.3% (51.2% to 73.9%)".
    func longText(_ unit: FigureUnit) -> Message? {
        guard let estimate = longEstimate(unit), let interval = longInterval(unit) else { return nil }
        return "\(estimate) (\(interval))"
    }

    func longEstimate(_ unit: FigureUnit) -> Message? { unit.text(estimate, places: unit.longPlaces) }

    /// Returns the interval as sentences and cells show it: "911.02 to 1,117.91".
    func longInterval(_ unit: FigureUnit) -> Message? {
        guard let low = unit.text(low, places: unit.longPlaces), let high = unit.text(high, places: unit.longPlaces)
        else { return nil }
        return "\(low) to \(high)"
    }

    private func shortPlaces(_ unit: FigureUnit) -> Int {
        switch unit {
        case .amount: high.magnitude < 1_000 ? 2 : 0
        case .share: high.magnitude < 10 ? 1 : 0
        }
    }
}

/// The unit of a figure, which decides how it is written.
enum FigureUnit {
    /// An amount of money: "1,014.20".
    case amount
    /// A share, written in percent: "62.3%".
    case share

    fileprivate var longPlaces: Int { self == .amount ? 2 : 1 }

    /// Returns the number as JSON and CSV have it; nil if it is too large.
    func exact(_ number: Double) -> Message? { BroughtFigure.text(number, places: self == .amount ? 2 : 4) }

    /// Returns the number as people read it, with commas; nil if it is too large to show.
    func text(_ number: Double, places: Int) -> Message? {
        switch self {
        case .amount: BroughtFigure.text(number, places: places)?.grouped
        case .share: BroughtFigure.text(number * 100, places: places).map { "\($0.grouped)%" }
        }
    }
}

extension BroughtAnswer {
    /// The estimate with its interval, "14.20 (11.02 to 17.91)", or the reason for none, "no estimate: too few".
    var longText: Message? { figure?.longText(.amount) ?? whyNot.map { "no estimate: \($0.short)" } }
}

extension Horizon {
    /// The key in JSON, which is also the last part of columns' names in CSV.
    var key: StaticString {
        switch self {
        case .day2: "day_2"
        case .day7: "day_7"
        case .day35: "day_35"
        case .day60: "day_60"
        case .day90: "day_90"
        case .day180: "day_180"
        case .toDate: "to_date"
        }
    }

    var words: StaticString {
        switch self {
        case .day2: "day 2"
        case .day7: "day 7"
        case .day35: "day 35"
        case .day60: "day 60"
        case .day90: "day 90"
        case .day180: "day 180"
        case .toDate: "to date"
        }
    }
}

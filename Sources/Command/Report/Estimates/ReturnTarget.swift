import SKANCommandRows
import SKANCore
import SKANTruth

/// A target for the return on ad spend, and the horizon by which to reach it.
package struct ReturnTarget {
    /// The targeted revenue as a share of the costs: 1.2 for 120 %.
    let share: Double
    let horizon: Horizon

    /// Parses "120%@D35": percent of the costs, and D2, D7, D35, D60, D90 or D180. Returns nil for any other text.
    package init?(_ text: [UInt8]) {
        guard let mark = text.firstIndex(of: UInt8(ascii: "%")), mark <= ReturnTarget.mostDigits,
            let percent = Money(plain: [UInt8](text[..<mark])), percent.units > 0,
            let horizon = Horizon.dated.first(where: { text[(mark + 1)...].elementsEqual($0.letters.bytes) })
        else { return nil }
        share = Double(percent.units) / Double(Money.scale) / 100
        self.horizon = horizon
    }

    /// The horizon by which campaigns are compared if there is no target.
    static var usualHorizon: Horizon { .day35 }

    private static var mostDigits: Int { 12 }

    /// The target in words: "120% by day 35".
    var words: Message { "\(percent) by \(horizon.words)" }
    /// The target's share in percent: "120%".
    var percent: Message { "\(BroughtFigure.text(share * 100, places: 0) ?? "?")%" }
}

extension Horizon {
    /// The text after the "%" in a target such as "120%@D35".
    fileprivate var letters: StaticString {
        switch self {
        case .day2: "@D2"
        case .day7: "@D7"
        case .day35: "@D35"
        case .day60: "@D60"
        case .day90: "@D90"
        case .day180: "@D180"
        case .toDate: ""
        }
    }
}

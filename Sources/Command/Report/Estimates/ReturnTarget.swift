internal import SKANCommandRows
internal import SKANCore
internal import SKANTruth

/// A return on ad spend to be reached, and by when.
package struct ReturnTarget {
    /// 1.2 for 120 %.
    let share: Double
    let horizon: Horizon

    /// "120%@D35": percent of the costs, and D2, D7, D35, D60, D90 or D180; nil of another text.
    package init?(_ text: [UInt8]) {
        guard let mark = text.firstIndex(of: UInt8(ascii: "%")), mark <= ReturnTarget.mostDigits,
            let percent = Money(plain: [UInt8](text[..<mark])), percent.units > 0,
            let horizon = Horizon.dated.first(where: { text[(mark + 1)...].elementsEqual($0.letters.bytes) })
        else { return nil }
        share = Double(percent.units) / Double(Money.scale) / 100
        self.horizon = horizon
    }

    /// The horizon until which campaigns are compared where there is no target.
    static var usualHorizon: Horizon { .day35 }

    private static var mostDigits: Int { 12 }

    /// "120% by day 35".
    var words: Message { "\(BroughtFigure.text(share * 100, places: 0) ?? "?")% by \(horizon.words)" }
}

extension Horizon {
    /// What stands behind a target's percent.
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

import CSKANSystem
import SKANCommandRows
import SKANCore
import SKANTruth

/// An estimate and its interval as text for people: "5,900" and "5,300 to 6,600". Both are rounded to the largest power
/// of ten that is at most a tenth of the interval's width. Large numbers are shortened: "12.4k".
struct RoundedFigure {
    let estimate: Message
    let interval: Message

    /// The estimate with its interval: "5,900 (5,300 to 6,600)".
    var text: Message { "\(estimate) (\(interval))" }
}

extension BroughtFigure {
    /// Returns the figure rounded for people; nil if it is too large to show.
    func rounded(_ unit: FigureUnit) -> RoundedFigure? {
        let rounding = FigureRounding(self, unit)
        guard let estimate = rounding.text(estimate), let low = rounding.text(low), let high = rounding.text(high)
        else { return nil }
        return RoundedFigure(estimate: estimate, interval: "\(low) to \(high)")
    }
}

private struct FigureRounding {
    private let unit: FigureUnit
    /// The exponent of the power of ten to which numbers are rounded.
    private let exponent: Int
    /// The power of a thousand by which numbers are divided: 0 for none, 1 for "k", 2 for "M".
    private let thousands: Int

    init(_ figure: BroughtFigure, _ unit: FigureUnit) {
        self.unit = unit
        let width = (figure.high - figure.low) * unit.scale
        let tenth = width.isFinite && width > 0 ? Int(log10(width / 10).rounded(.down)) : unit.finest
        exponent = max(tenth, unit.finest)
        let largest = max(figure.high.magnitude, figure.low.magnitude) * unit.scale
        let isMillions = largest >= 10_000_000 && exponent >= 5
        thousands = isMillions ? 2 : largest >= 10_000 && exponent >= 2 ? 1 : 0
    }

    func text(_ number: Double) -> Message? {
        let step = pow(10, Double(exponent))
        let rounded = (number * unit.scale / step).rounded() * step / pow(1000, Double(thousands))
        guard let text = BroughtFigure.text(rounded, places: max(3 * thousands - exponent, 0)) else { return nil }
        let suffix: StaticString = thousands == 0 ? "" : thousands == 1 ? "k" : "M"
        let percent: StaticString = unit == .share ? "%" : ""
        return "\(text.grouped)\(suffix)\(percent)"
    }
}

extension FigureUnit {
    fileprivate var scale: Double { self == .share ? 100 : 1 }
    /// The exponent of the finest rounding: -2 for cents, or -1 for tenths of a percent.
    fileprivate var finest: Int { self == .share ? -1 : -2 }
}

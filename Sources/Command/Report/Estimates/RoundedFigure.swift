import CSKANSystem
import SKANCommandRows
import SKANCore
import SKANTruth

/// An estimate and its interval as people read them: rounded to what the interval allows, which is the largest power of
/// ten that is no more than a tenth of its width. "5,900", "5,300 to 6,600"; from ten thousand on "12.4k".
struct RoundedFigure {
    let estimate: Message
    /// "5,300 to 6,600".
    let interval: Message

    /// "5,900 (5,300 to 6,600)".
    var text: Message { "\(estimate) (\(interval))" }
}

extension BroughtFigure {
    /// nil if it is too large to show.
    func rounded(_ unit: FigureUnit) -> RoundedFigure? {
        let rounding = FigureRounding(self, unit)
        guard let estimate = rounding.text(estimate), let low = rounding.text(low), let high = rounding.text(high)
        else { return nil }
        return RoundedFigure(estimate: estimate, interval: "\(low) to \(high)")
    }
}

/// How the numbers of one figure are rounded and shortened.
private struct FigureRounding {
    private let unit: FigureUnit
    /// The power of ten that numbers are multiples of.
    private let exponent: Int
    /// How often numbers are divided by a thousand.
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
    /// Cents, and tenths of a percent.
    fileprivate var finest: Int { self == .share ? -1 : -2 }
}

/// Rules, "Money is exact": the one way of rounding, to the nearest whole number, and to the even one of two that are
/// equally near.

/// What is cut off behind the last place that is kept, beside a half of it.
package enum CutPart {
    case belowHalf
    case half
    case aboveHalf

    /// A remainder of a division by an even number.
    @inline(__always)
    package init(_ remainder: UInt64, of divisor: UInt64) {
        assert(divisor % 2 == 0 && remainder < divisor)
        self = remainder < divisor / 2 ? .belowHalf : remainder == divisor / 2 ? .half : .aboveHalf
    }
}

extension FixedWidthInteger {
    /// A magnitude, rounded for what is cut off it.
    @inline(__always)
    package func roundedHalfEven(_ cut: CutPart) -> Self {
        switch cut {
        case .belowHalf: self
        case .half: self &+ (self & 1)
        case .aboveHalf: self &+ 1
        }
    }
}

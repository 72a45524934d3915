/// Rules, "Money is exact": the only way of rounding, which is to the nearest whole number, or to the even one of two
/// that are equally near.

/// The part that is cut off after the last place kept, compared with a half of that place.
package enum CutPart {
    case belowHalf
    case half
    case aboveHalf

    /// Compares a remainder with half of its even divisor.
    @inline(__always)
    package init(_ remainder: UInt64, of divisor: UInt64) {
        assert(divisor % 2 == 0 && remainder < divisor)
        self = remainder < divisor / 2 ? .belowHalf : remainder == divisor / 2 ? .half : .aboveHalf
    }
}

extension FixedWidthInteger {
    /// The magnitude, rounded up or left as it is, depending on the part that was cut off.
    @inline(__always)
    package func roundedHalfEven(_ cut: CutPart) -> Self {
        switch cut {
        case .belowHalf: self
        case .half: self &+ (self & 1)
        case .aboveHalf: self &+ 1
        }
    }
}

/// Rules, "Model measures": the number that an install stores for a measure. It is a count, or a sum in units of 10⁻¹²
/// of the model's currency, or a number of days in the low 32 bits, with the last counted day in the bits above.
package struct MeasureValue: Equatable, Sendable {
    package let number: Int128

    package init(number: Int128) { self.number = number }

    package static var zero: MeasureValue { MeasureValue(number: 0) }

    /// The number as a count of events or days.
    @inline(__always)
    package var count: Int64 { Int64(UInt32(truncatingIfNeeded: number)) }

    /// The number as a sum.
    @inline(__always)
    package var units: Int128 { number }

    private var lastDay: Int64 { Int64(truncatingIfNeeded: number >> 32) }

    /// The largest magnitude of a sum: 10²⁴ units of the currency.
    static var limit: Int128 { Money.scale * Money.scale * Money.scale }

    /// The count plus one, at most 2³² − 1.
    @inline(__always)
    package var countingOne: MeasureValue { number < Int128(UInt32.max) ? MeasureValue(number: number &+ 1) : self }

    @inline(__always)
    package func adding(_ units: Int128) -> MeasureValue {
        MeasureValue(number: max(-MeasureValue.limit, min(MeasureValue.limit, number &+ units)))
    }

    /// Counts one more day if `day` is after the last day that was counted.
    @inline(__always)
    package func counting(day: Int64) -> MeasureValue {
        if number != 0, day <= lastDay { return self }
        let day = min(day, Int64(UInt32.max))
        return MeasureValue(number: Int128(day) << 32 | Int128(min(count &+ 1, Int64(UInt32.max))))
    }
}

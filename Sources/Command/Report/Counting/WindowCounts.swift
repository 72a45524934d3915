import SKANCommandRows
import SKANCore

/// Counts of postbacks of one group and window. All counts after `lost` are of winning postbacks.
struct WindowCounts {
    /// Postbacks of conversions that another network won.
    var lost: UInt64 = 0
    var conversions = ConversionCounts()
    /// Postbacks with a fine value.
    var fine: UInt64 = 0
    /// Postbacks with a coarse value and no fine one.
    var coarse: UInt64 = 0
    /// Postbacks with neither a fine nor a coarse value.
    var hidden: UInt64 = 0
    /// Postbacks with a value that has no meaning, and with no other one.
    var illegal: UInt64 = 0
    /// Postbacks whose value has a known revenue.
    var priced: UInt64 = 0
    /// Priced postbacks whose revenue has no upper limit.
    var open: UInt64 = 0
    /// The sum of the priced postbacks' lower limits.
    var least = Money.zero
    /// The sum of the upper limits of those that have one.
    var most = Money.zero
    /// The sum of the priced postbacks' estimates.
    var estimate = Money.zero

    var winning: UInt64 { conversions.sum }

    /// Returns false if a sum of money would become too large.
    mutating func add(_ more: WindowCounts) -> Bool {
        lost += more.lost
        conversions.add(more.conversions)
        fine += more.fine
        coarse += more.coarse
        hidden += more.hidden
        illegal += more.illegal
        priced += more.priced
        open += more.open
        return least.take(in: more.least) && most.take(in: more.most) && estimate.take(in: more.estimate)
    }
}

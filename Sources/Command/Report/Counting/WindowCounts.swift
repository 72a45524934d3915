internal import SKANCore

/// Counted postbacks of one group and window. What follows `lost` is of the winning ones.
struct WindowCounts {
    /// Postbacks of conversions that another network won.
    var lost: UInt64 = 0
    var conversions = ConversionCounts()
    /// Postbacks with a fine value.
    var fine: UInt64 = 0
    /// Postbacks with a coarse value alone.
    var coarse: UInt64 = 0
    /// Postbacks with neither a fine nor a coarse value.
    var hidden: UInt64 = 0
    /// Postbacks with a value for which a model has a revenue.
    var priced: UInt64 = 0
    /// The number of these without an upper limit.
    var open: UInt64 = 0
    /// The least revenue of the priced ones.
    var least = Money.zero
    /// The greatest revenue of those with an upper limit.
    var most = Money.zero
    /// The sum of the priced ones' estimates.
    var estimate = Money.zero

    var winning: UInt64 { conversions.sum }

    /// False where a sum of money would leave the range.
    mutating func add(_ more: WindowCounts) -> Bool {
        lost += more.lost
        conversions.add(more.conversions)
        fine += more.fine
        coarse += more.coarse
        hidden += more.hidden
        priced += more.priced
        open += more.open
        return least.take(in: more.least) && most.take(in: more.most) && estimate.take(in: more.estimate)
    }
}

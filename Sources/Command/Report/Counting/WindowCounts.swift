import SKANCommandRows
import SKANCore

/// Counts of postbacks of one group and window. All counts after `lost` are of winning postbacks.
struct WindowCounts {
    /// The number of postbacks of conversions that another network won.
    var lost: UInt64 = 0
    var conversions = ConversionCounts()
    var carried = CarriedCounts()
    /// The sum of the lower limits of revenue of the postbacks whose revenue is known.
    var least = Money.zero
    /// The sum of the upper limits of revenue, for the postbacks that have one.
    var most = Money.zero
    /// The sum of the estimated revenue of the postbacks whose revenue is known.
    var estimate = Money.zero

    var winning: UInt64 { conversions.sum }

    /// Returns false if a sum of money would exceed `Money.mostReported`.
    mutating func add(_ more: WindowCounts) -> Bool {
        lost += more.lost
        conversions.add(more.conversions)
        carried.add(more.carried)
        return least.take(in: more.least) && most.take(in: more.most) && estimate.take(in: more.estimate)
    }
}

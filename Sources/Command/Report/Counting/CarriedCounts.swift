/// Counts of winning postbacks by the value that they carry.
struct CarriedCounts {
    /// Postbacks with a fine value.
    var fine: UInt64 = 0
    /// Postbacks with a coarse value and no fine one.
    var coarse: UInt64 = 0
    /// Postbacks with neither a fine nor a coarse value.
    var hidden: UInt64 = 0
    /// Postbacks whose only value has no meaning.
    var illegal: UInt64 = 0
    /// Postbacks whose value has a known revenue.
    var priced: UInt64 = 0
    /// Postbacks whose value has a known revenue without an upper limit.
    var open: UInt64 = 0

    mutating func add(_ more: CarriedCounts) {
        fine += more.fine
        coarse += more.coarse
        hidden += more.hidden
        illegal += more.illegal
        priced += more.priced
        open += more.open
    }
}

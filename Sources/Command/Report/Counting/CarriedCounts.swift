/// The number of winning postbacks by the kind of value that they carry.
struct CarriedCounts {
    var fine: UInt64 = 0
    /// Postbacks with a coarse value and no fine one.
    var coarse: UInt64 = 0
    /// Postbacks without any value, not even an illegal one.
    var hidden: UInt64 = 0
    /// Postbacks with a value that has no meaning, such as 64.
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

internal import SKANCore

/// The values of winning postbacks of one group.
struct ValueCounts {
    static var fineValues: Int { 64 }
    static var coarseValues: Int { 3 }

    /// In window 0, by value.
    private(set) var fine = InlineArray<64, UInt64>(repeating: 0)
    /// With a coarse value alone, by value.
    private(set) var coarse = PerWindow<InlineArray<3, UInt64>>(repeating: InlineArray<3, UInt64>(repeating: 0))
    var unpriced = UnpricedCounts()

    /// A value that is none is not counted.
    mutating func add(fine value: Int) {
        if fine.indices.contains(value) { fine[value] &+= 1 }
    }

    /// A value that is none is not counted.
    mutating func add(coarse value: Int, _ window: Window) {
        let place = Int(window.rawValue)
        if coarse[place].indices.contains(value) { coarse[place][value] &+= 1 }
    }
}

/// Why winning values that are not hidden have no revenue.
struct UnpricedCounts {
    /// The receiver had no models for them.
    var notDecoded: UInt64 = 0
    /// The model has no rule with the value.
    var undecodable: UInt64 = 0
    /// The model changed while the install or re-engagement may have happened.
    var ambiguous: UInt64 = 0
    /// That is older than the first model.
    var noModel: UInt64 = 0
    /// Its model was not given to the report.
    var modelMissing: UInt64 = 0
    /// The model does not speak of revenue in this window.
    var noRevenue: UInt64 = 0
    /// Revenue since the install, counted in window 0.
    var cumulative: UInt64 = 0
}

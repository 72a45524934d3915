internal import SKANCore

/// The values of winning postbacks of one group.
struct ValueCounts {
    static var fineValues: Int { 64 }
    static var coarseValues: Int { 3 }

    /// Fine values of window 0, by value.
    private(set) var fine = InlineArray<64, UInt64>(repeating: 0)
    /// Coarse values that came alone, by window and value.
    private(set) var coarse = PerWindow<InlineArray<3, UInt64>>(repeating: InlineArray<3, UInt64>(repeating: 0))
    var unpriced = UnpricedCounts()

    /// A value that is none is not counted.
    mutating func add(fine value: Int) {
        if fine.indices.contains(value) { fine[value] += 1 }
    }

    /// A value that is none is not counted.
    mutating func add(coarse value: Int, _ window: Window) {
        let place = Int(window.rawValue)
        if coarse[place].indices.contains(value) { coarse[place][value] += 1 }
    }
}

/// Why a winning value that is not hidden has no revenue.
package enum UnpricedReason: Int, CaseIterable {
    /// The receiver had no models for it.
    case notDecoded
    /// The model has no rule with the value.
    case undecodable
    /// The model changed while the install or re-engagement may have happened.
    case ambiguous
    /// The install or re-engagement is older than the first model.
    case noModel
    /// Its model was not given.
    case modelMissing
    /// The model does not speak of revenue in this window.
    case noRevenue
    /// Revenue since the install, counted in window 0.
    case cumulative
}

/// How many there are for each reason.
struct UnpricedCounts {
    private var counts = InlineArray<7, UInt64>(repeating: 0)

    subscript(reason: UnpricedReason) -> UInt64 {
        get { counts[reason.rawValue] }
        set { counts[reason.rawValue] = newValue }
    }
}

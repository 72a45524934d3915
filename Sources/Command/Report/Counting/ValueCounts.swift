import SKANCommandRows
import SKANCore

/// The number of winning postbacks of one group, by the value that they carry.
struct ValueCounts {
    /// The number of postbacks with each fine value of window 0.
    private(set) var fine = InlineArray<64, UInt64>(repeating: 0)
    /// The number of postbacks with a coarse value and no fine one, by window and value.
    private(set) var coarse = PerWindow<InlineArray<3, UInt64>>(repeating: InlineArray<3, UInt64>(repeating: 0))
    var unpriced = UnpricedCounts()

    /// Counts a fine value; ignores values outside 0…63.
    mutating func add(fine value: Int) {
        if fine.indices.contains(value) { fine[value] += 1 }
    }

    /// Counts a coarse value; ignores values outside 0…2.
    mutating func add(coarse value: Int, _ window: Window) {
        let place = Int(window.rawValue)
        if coarse[place].indices.contains(value) { coarse[place][value] += 1 }
    }
}

/// The number of values without known revenue, by reason.
struct UnpricedCounts {
    private var counts = InlineArray<7, UInt64>(repeating: 0)

    subscript(reason: UnpricedReason) -> UInt64 {
        get { counts[reason.rawValue] }
        set { counts[reason.rawValue] = newValue }
    }
}

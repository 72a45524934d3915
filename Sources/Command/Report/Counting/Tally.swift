internal import SKANCore

/// What the report counts. Memory grows with networks, campaigns and days, not with postbacks.
struct Tally {
    private(set) var lines: [TallyLine] = []
    private(set) var days = ArrivalDays()
    private var values = InlineArray<2, ValueCounts>(repeating: ValueCounts())
    private(set) var counted: UInt64 = 0
    /// When the first and the last of the counted ones arrived, Unix seconds; nil where there are none.
    private(set) var arrived: (first: Int64, last: Int64)?
    private(set) var apart = ApartCounts()
    /// A sum of money left the range.
    private(set) var isFull = false

    subscript(values group: ConversionGroup) -> ValueCounts { values[group.rawValue] }
}

package struct RefusedCounts {
    private var counts = InlineArray<7, UInt64>(repeating: 0)

    package init() {}

    package subscript(reason: RefusedReason) -> UInt64 {
        get { counts[reason.rawValue] }
        set { counts[reason.rawValue] = newValue }
    }

    package var sum: UInt64 { RefusedReason.allCases.reduce(0) { $0 + self[$1] } }

    package mutating func add(_ more: RefusedCounts) {
        for reason in RefusedReason.allCases { self[reason] += more[reason] }
    }
}

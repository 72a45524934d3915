/// The revenue of an install until each horizon, in the order of `Horizon`.
typealias InstallRevenue = SIMD8<Double>

/// The revenue of one of the app's own installs according to its record: until the end of each window (or so far, if
/// the install is too young for it), and to date. There can be millions of these values, so their size is kept small.
struct KnownRevenue: Equatable {
    private var amounts: SIMD4<Double>

    static var zero: KnownRevenue { KnownRevenue(toDate: 0) }

    init(toDate: Double) { amounts = SIMD4(repeating: toDate) }

    /// The revenue by a horizon. All horizons after the windows share one amount, the revenue to date.
    subscript(horizon: Horizon) -> Double {
        get { amounts[KnownRevenue.place(horizon)] }
        set { amounts[KnownRevenue.place(horizon)] = newValue }
    }

    var isNothing: Bool { amounts == .zero }

    /// Orders revenues by the revenue to date; if it is equal, by the revenue until the end of window 2, then of window
    /// 1, then of window 0.
    func precedes(_ other: KnownRevenue) -> Bool {
        for place in amounts.indices.reversed() where amounts[place] != other.amounts[place] {
            return amounts[place] < other.amounts[place]
        }
        return false
    }

    var afterWindows: Double { self[.toDate] - self[.day35] }

    private static func place(_ horizon: Horizon) -> Int { min(horizon.rawValue, Horizon.ofWindows.count) }
}

extension SIMD8<Double> {
    /// The revenue so far, for every horizon.
    init(_ known: KnownRevenue) {
        self.init(repeating: known[.toDate])
        for horizon in Horizon.ofWindows { self[horizon.rawValue] = known[horizon] }
    }
}

/// The installs of one group and one week of age.
struct AgedInstalls {
    private(set) var count = 0
    /// The revenues of the installs that brought anything.
    private(set) var revenues: [KnownRevenue] = []
    /// The states in windows 1 and 2 of the installs in `revenues`, as codes of `LaterState`.
    private(set) var laterCodes: [UInt8] = []
    /// The number of installs without revenue, by the code of their state in windows 1 and 2.
    private(set) var withoutRevenue = PerLaterState<UInt32>(repeating: 0)

    var later: LaterShares {
        var shares = LaterShares()
        for code in withoutRevenue.indices { shares.add(Double(withoutRevenue[code]), LaterState(code: code)) }
        for code in laterCodes { shares.add(LaterState(code: Int(code))) }
        return shares
    }

    /// Sorts the installs by revenue, so that draws do not depend on the order in which a store lists them.
    mutating func order() {
        let places = revenues.indices.sorted { one, other in
            if revenues[one] != revenues[other] { return revenues[one].precedes(revenues[other]) }
            return laterCodes[one] < laterCodes[other]
        }
        (revenues, laterCodes) = (places.map { revenues[$0] }, places.map { laterCodes[$0] })
    }

    mutating func add(_ revenue: KnownRevenue, _ later: LaterState) {
        count += 1
        if !revenue.isNothing {
            revenues.append(revenue)
            laterCodes.append(UInt8(later.code))
        } else {
            withoutRevenue[later.code] += 1
        }
    }
}

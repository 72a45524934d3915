/// What an install brings until each horizon, in the order of `Horizon`.
typealias InstallRevenue = SIMD8<Double>

/// What an own install brought as far as its record tells: until the end of each window, or so far where it is too
/// young; and to date. There may be millions, so it is small.
struct KnownRevenue: Equatable {
    private var amounts: SIMD4<Double>

    static var zero: KnownRevenue { KnownRevenue(toDate: 0) }

    init(toDate: Double) { amounts = SIMD4(repeating: toDate) }

    /// Days after the windows have what was brought to date.
    subscript(horizon: Horizon) -> Double {
        get { amounts[KnownRevenue.place(horizon)] }
        set { amounts[KnownRevenue.place(horizon)] = newValue }
    }

    var isNothing: Bool { amounts == .zero }

    /// Orders by the amount to date, then by those of the windows.
    func precedes(_ other: KnownRevenue) -> Bool {
        for place in amounts.indices.reversed() where amounts[place] != other.amounts[place] {
            return amounts[place] < other.amounts[place]
        }
        return false
    }

    /// What was brought after window 2.
    var afterWindows: Double { self[.toDate] - self[.day35] }

    private static func place(_ horizon: Horizon) -> Int { min(horizon.rawValue, Horizon.ofWindows.count) }
}

extension SIMD8<Double> {
    /// The revenue so far, until every horizon.
    init(_ known: KnownRevenue) {
        self.init(repeating: known[.toDate])
        for horizon in Horizon.ofWindows { self[horizon.rawValue] = known[horizon] }
    }
}

/// Installs of one group and one week of age.
struct AgedInstalls {
    private(set) var count = 0
    /// Revenues of the installs that brought anything.
    private(set) var revenues: [KnownRevenue] = []
    /// The states of these installs in later windows, as codes of `LaterState`.
    private(set) var laterCodes: [UInt8] = []
    /// The number of installs without revenue, by the code of their state in later windows.
    private(set) var withoutRevenue = PerLaterState<UInt32>(repeating: 0)

    /// How many have each state in later windows.
    var later: LaterShares {
        var shares = LaterShares()
        for code in withoutRevenue.indices { shares.add(Double(withoutRevenue[code]), LaterState(code: code)) }
        for code in laterCodes { shares.add(LaterState(code: Int(code))) }
        return shares
    }

    /// Orders the installs by what they brought, so that draws do not depend on the order in which a store lists.
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

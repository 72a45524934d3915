/// What an install brought until each horizon, in the order of `Horizon`; so far, of horizons that it is too young for.
typealias InstallRevenue = SIMD8<Double>

/// Installs of one group and one week of age.
struct AgedInstalls {
    private(set) var count = 0
    /// Revenues of the installs that brought anything.
    private(set) var revenues: [InstallRevenue] = []
    /// What these told in later windows: codes of `LaterState`.
    private(set) var laterCodes: [UInt8] = []
    /// How many brought nothing, by the code of what they told in later windows.
    private(set) var withoutRevenue = InlineArray<16, UInt32>(repeating: 0)

    mutating func add(_ revenue: InstallRevenue, _ later: LaterState) {
        count += 1
        if revenue != .zero {
            revenues.append(revenue)
            laterCodes.append(UInt8(later.code))
        } else {
            withoutRevenue[later.code] &+= 1
        }
    }
}

/// What an install brought until each horizon, in the order of `Horizon`; so far, of horizons that it is too young for.
typealias InstallRevenue = SIMD4<Double>

/// Installs of one group and one week of age.
struct AgedInstalls {
    private(set) var count = 0
    /// Revenues of the installs that brought anything.
    private(set) var revenues: [InstallRevenue] = []

    mutating func add(_ revenue: InstallRevenue) {
        count += 1
        if revenue != .zero { revenues.append(revenue) }
    }
}

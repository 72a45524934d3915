internal import SKANCore

/// The app's own installs in groups, and what was left out. Memory does not grow with their number.
struct InstallGroups {
    private var groups: [InstallGroup]
    private let models: RevenueModels
    let now: Int64
    private(set) var left = LeftInstalls()
    /// Those in groups, by horizon: to date all.
    private(set) var counted = InlineArray<4, UInt64>(repeating: 0)
    /// Whether one brought less than nothing: refunds.
    private(set) var hasLosses = false

    init(_ models: RevenueModels, now: Int64) {
        self.models = models
        self.now = now
        groups = [InstallGroup](repeating: InstallGroup(), count: models.count * InstallGroup.count)
    }

    /// Of all models.
    var groupCount: Int { groups.count }

    subscript(model: Int, value: Int) -> InstallGroup { groups[model * InstallGroup.count + value] }

    /// How many weeks of age there are.
    var weekCount: Int { groups.reduce(1) { max($0, $1.weeks.count) } }

    /// How many were read.
    var read: UInt64 { left.sum &+ counted[Horizon.toDate.rawValue] }

    mutating func add(damaged count: UInt64) { left.damaged &+= count }

    /// Counts an install.
    mutating func add(_ install: borrowing InstallState) {
        guard let first = install.first, install.isRegistered, !install.tellsCountsOnly else {
            left.unregistered &+= 1
            return
        }
        guard install.protocolVersion == .skan4 else {
            left.skan3 &+= 1
            return
        }
        guard let version = install.model?.version, let model = models.place(version) else {
            left.add(otherModel: install.model?.version)
            return
        }
        guard now - first >= Horizon.day2.seconds else {
            left.young &+= 1
            return
        }
        add(install, first, model)
    }

    private mutating func add(_ install: borrowing InstallState, _ first: Int64, _ model: Int) {
        let place = model * InstallGroup.count + Int(install.fine ?? UInt8(InstallGroup.fineValues))
        guard groups.indices.contains(place), let conversion = models[model]?.model else { return }
        groups[place].add(coarse: install.windows[.first].coarse)
        let age = now - first
        var sum = 0.0
        for horizon in Horizon.dated {
            guard age >= horizon.seconds, let window = horizon.window else { break }
            let before = sum
            sum += amount(conversion.total(RevenueAxis(nil, lifetime: false), of: install.revenue, in: window))
            groups[place].add(sum, horizon, before: before)
            counted[horizon.rawValue] &+= 1
            hasLosses = hasLosses || sum < 0
        }
        let toDate = amount(conversion.total(RevenueAxis(nil, lifetime: true), of: install.revenue, in: .first))
        groups[place].add(toDate: toDate, week: Int(age / Horizon.weekSeconds))
        counted[Horizon.toDate.rawValue] &+= 1
        hasLosses = hasLosses || toDate < 0
        if conversion.hasUnratedRevenue(install.revenue) { left.unrated &+= 1 }
    }
}

/// Of 10⁻¹² units.
private func amount(_ units: Int128) -> Double { Double(units) / Double(Money.scale) }

extension Horizon {
    static var weekSeconds: Int64 { 7 * ArrivalDay.seconds }
}

extension ConversionModel {
    /// Whether there is revenue that counts as nothing.
    fileprivate func hasUnratedRevenue(_ revenue: borrowing RevenueTables) -> Bool {
        revenue.withTotals { totals in
            for index in 0..<totals.count where totals[index].total.units != 0 {
                if let currency = totals[index].currency, rate(of: currency) == nil { return true }
            }
            return false
        }
    }
}

/// Installs that stand behind no value.
struct LeftInstalls {
    var unregistered: UInt64 = 0
    var skan3: UInt64 = 0
    /// Less than two days old.
    var young: UInt64 = 0
    var withoutModel: UInt64 = 0
    var otherModels: UInt64 = 0
    /// Those that are not: they have revenue, too, in a currency that their model has no rate for.
    var unrated: UInt64 = 0
    /// Records that could not be read.
    var damaged: UInt64 = 0
    /// Versions of models that were not given, with their installs; a few.
    private(set) var versions: [(version: SHA256, installs: UInt64)] = []

    private static var mostVersions: Int { 16 }

    /// Why, with how many.
    var reasons: [(key: StaticString, words: StaticString, count: UInt64)] {
        [
            ("unregistered", "not registered", unregistered),
            ("skan_3", "of SKAN 3", skan3),
            ("younger_than_two_days", "younger than two days", young),
            ("without_model", "without a model", withoutModel),
            ("other_models", "of models that were not given", otherModels),
            ("damaged", "could not be read", damaged),
        ]
    }

    var sum: UInt64 { unregistered &+ skan3 &+ young &+ withoutModel &+ otherModels &+ damaged }

    mutating func add(otherModel version: SHA256?) {
        guard let version else {
            withoutModel &+= 1
            return
        }
        otherModels &+= 1
        if let place = versions.firstIndex(where: { $0.version == version }) {
            versions[place].installs &+= 1
        } else if versions.count < LeftInstalls.mostVersions {
            versions.append((version, 1))
        }
    }
}

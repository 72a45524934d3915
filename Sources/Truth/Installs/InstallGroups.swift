package import SKANCore

/// The app's own installs, attributed or not, grouped by model and fine value, and the numbers of installs left out.
package struct InstallGroups {
    private var groups: [InstallGroup]
    let models: [ConversionModel]
    let now: Int64
    package private(set) var left = LeftInstalls()
    /// For each horizon, the number of grouped installs that are old enough for it; for `toDate` all of them.
    private(set) var counted = PerHorizon<UInt64>(repeating: 0)
    /// The number of installs of each day, by model.
    private var days: [Int64: [UInt32]] = [:]

    /// `now`: the time at which ages are computed, in Unix seconds.
    package init(_ models: [ConversionModel], now: Int64) {
        self.models = models
        self.now = now
        groups = [InstallGroup](repeating: InstallGroup(), count: models.count * InstallGroup.count)
    }

    var groupCount: Int { groups.count }

    subscript(place: Int) -> InstallGroup { groups[place] }
    subscript(model: Int, value: Int) -> InstallGroup { groups[model * InstallGroup.count + value] }

    /// Indexed by model.
    var laterOfModels: [LaterShares] {
        (0..<models.count).map { model in
            (0..<InstallGroup.count).reduce(into: LaterShares()) { $0.add(self[model, $1].later) }
        }
    }

    /// Indexed by group.
    var laterChains: [LaterChain] {
        let models = laterOfModels
        return groups.indices.map { LaterChain(groups[$0].later, models[$0 / InstallGroup.count]) }
    }

    /// The age in seconds at which half of the installs have reported, since postbacks arrive 72 to 96 hours after the
    /// first launch. About as many installs are at least this old as have reported; younger ones are left out.
    static var reportingAge: Int64 { 84 * 3600 }

    /// The number of installs of a model on the day before, the day itself and the day after.
    func installs(ofModel model: Int, about day: Int64) -> Double {
        (day - 1...day + 1).reduce(0) { $0 + Double(days[$1]?[model] ?? 0) }
    }

    func installs(on day: Int64) -> Double { days[day]?.reduce(0) { $0 + Double($1) } ?? 0 }

    /// Sorts the installs of each group, so that the order in which they were added does not matter.
    @export(interface)
    package mutating func order() {
        for group in groups.indices { groups[group].order() }
    }

    package mutating func add(damaged count: UInt64) { left.damaged += count }

    @export(interface)
    package mutating func add(_ install: borrowing InstallState) {
        guard let first = install.conversion.first, install.conversion.isRegistered, !install.tellsCountsOnly else {
            left.unregistered += 1
            return
        }
        guard install.conversion.protocolVersion == .skan4 else {
            left.skan3 += 1
            return
        }
        guard let version = install.conversion.model?.version,
            let model = models.firstIndex(where: { $0.version == version })
        else {
            left.add(otherModel: install.conversion.model?.version)
            return
        }
        guard now - first >= InstallGroups.reportingAge else {
            left.young += 1
            return
        }
        add(install, first, model)
    }

    private mutating func add(_ install: borrowing InstallState, _ first: Int64, _ model: Int) {
        let place = model * InstallGroup.count + Int(install.conversion.fine ?? UInt8(InstallGroup.fineValues))
        guard groups.indices.contains(place) else { return }
        let conversion = models[model]
        let age = now - first
        let toDate = amount(conversion.total(RevenueAxis(nil, lifetime: true), of: install.revenue, in: .first))
        var revenue = KnownRevenue(toDate: toDate)
        var sum = 0.0
        for horizon in Horizon.ofWindows {
            guard age >= horizon.seconds, let window = horizon.window else { break }
            sum += amount(conversion.total(RevenueAxis(nil, lifetime: false), of: install.revenue, in: window))
            revenue[horizon] = sum
            counted[horizon.rawValue] += 1
        }
        for horizon in Horizon.afterWindows where age >= horizon.seconds { counted[horizon.rawValue] += 1 }
        counted[Horizon.toDate.rawValue] += 1
        groups[place].add(coarse: install.conversion.windows[.first].coarse)
        groups[place].add(revenue, week: Int(age / Horizon.weekSeconds), LaterState(install, age: age))
        days[first / Day.seconds, default: [UInt32](repeating: 0, count: models.count)][model] += 1
        if conversion.hasUnratedRevenue(install.revenue) { left.unrated += 1 }
    }
}

/// Converts an amount in 10⁻¹² of a currency's unit to units.
private func amount(_ units: Int128) -> Double { Double(units) / Double(Money.scale) }

extension ConversionModel {
    /// Whether there is revenue in a currency that has no rate. Such revenue counts as nothing.
    fileprivate func hasUnratedRevenue(_ revenue: borrowing RevenueTables) -> Bool {
        revenue.withTotals { totals in
            for index in 0..<totals.count where totals[index].total.units != 0 {
                if let currency = totals[index].currency, rate(of: currency) == nil { return true }
            }
            return false
        }
    }
}

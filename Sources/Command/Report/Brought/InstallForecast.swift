/// What installs bring until a horizon, forecast where too few of a group are old enough for it.
extension InstallGroups {
    /// By group: the moments of what its installs bring until a horizon. A group with fewer than ten that are old enough
    /// has what its installs brought until the horizon before, times the growth since then of its class.
    func forecast(until horizon: Horizon) -> [RevenueMoments] {
        let groups = (0..<groupCount).map { self[$0 / InstallGroup.count, $0 % InstallGroup.count] }
        let reached = groups.map { $0.dated[horizon.rawValue] }
        guard let before = Horizon(rawValue: horizon.rawValue - 1) else { return reached }
        let until = forecast(until: before)
        return groups.indices.map { place in
            guard reached[place].count < BroughtSum.enough, until[place].count > reached[place].count,
                let growth = growth(groups, like: place, until: horizon)
            else { return reached[place] }
            return until[place].scaled(by: growth)
        }
    }

    /// How many times as much the class of a group brings until a horizon as until the one before; nil where too few
    /// installs of the model are old enough.
    private func growth(_ groups: [InstallGroup], like place: Int, until horizon: Horizon) -> Double? {
        let model = place / InstallGroup.count * InstallGroup.count
        let ofModel = groups[model..<model + InstallGroup.count]
        let coarse = groups[place].coarseClass
        return growth(ofModel.filter { $0.coarseClass == coarse }, until: horizon) ?? growth(ofModel, until: horizon)
    }

    private func growth(_ groups: some Collection<InstallGroup>, until horizon: Horizon) -> Double? {
        let count = groups.reduce(0) { $0 + $1.dated[horizon.rawValue].count }
        let before = groups.reduce(0) { $0 + $1.before[horizon.rawValue] }
        guard count >= BroughtSum.enough, before > 0 else { return nil }
        return max(groups.reduce(0) { $0 + $1.dated[horizon.rawValue].sum } / before, 1)
    }
}

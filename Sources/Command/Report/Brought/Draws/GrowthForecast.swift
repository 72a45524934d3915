/// What installs that are too young for a horizon will have brought by then: what they brought so far, and what older
/// ones brought from their age on.
struct GrowthForecast {
    private var urns: [GrowthUrn] = []
    /// Sources by group and horizon; nil where no older installs show the growth.
    private var sources: [[GrowthSource?]]
    private var progress: GrowthProgress

    init(_ groups: InstallGroups, models: Int) {
        var sources = [[GrowthSource?]](repeating: [], count: groups.groupCount)
        for horizon in GrowthSource.horizons {
            for model in 0..<models {
                let places = model * InstallGroup.count..<(model + 1) * InstallGroup.count
                let found = GrowthSources(places.map { groups[$0] }, horizon, firstUrn: urns.count)
                urns += found.urns
                for (place, source) in zip(places, found.sources) { sources[place].append(source) }
            }
        }
        self.sources = sources
        progress = GrowthProgress(groups, sources, urns)
    }

    /// Whether there are older installs that tell of the growth of a group until a horizon.
    func isKnown(_ group: Int, _ horizon: Horizon) -> Bool {
        guard let place = GrowthSource.horizons.firstIndex(of: horizon) else { return true }
        return sources[group][place] != nil
    }

    mutating func beginDraw(_ numbers: inout DrawnNumbers) {
        for urn in urns.indices { urns[urn].beginDraw() }
        progress.beginDraw(&numbers)
    }

    /// Adds what an install of this age will bring until the horizons that it is too young for.
    mutating func complete(_ revenue: inout InstallRevenue, group: Int, week: Int, _ numbers: inout DrawnNumbers) {
        guard week < Horizon.day35.weeks else { return }
        // Purchases are few: an install brings what is left of the growth all at once, or nothing.
        let isToCome = !numbers.isDrawn(progress.shares[week])
        if week < Horizon.day7.weeks {
            let growth = isToCome ? drawGrowth(group, 0, &numbers) : 0
            revenue[Horizon.day7.rawValue] += growth
            revenue[Horizon.day35.rawValue] += growth + drawGrowth(group, 1, &numbers)
        } else if isToCome {
            revenue[Horizon.day35.rawValue] += drawGrowth(group, 1, &numbers)
        }
    }

    private mutating func drawGrowth(_ group: Int, _ place: Int, _ numbers: inout DrawnNumbers) -> Double {
        guard let source = sources[group][place] else { return 0 }
        return urns[source.urn].draw(&numbers) * source.scale
    }
}

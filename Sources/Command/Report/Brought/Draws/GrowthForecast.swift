/// What installs that are too young for a horizon will have brought by then: what they brought so far, and what older
/// ones brought from their age on.
struct GrowthForecast {
    /// The horizons whose installs may be too young.
    static var horizons: [Horizon] { [.day7, .day35] }
    /// So many older installs are enough for a group.
    static var enough: Int { 10 }

    private var urns: [GrowthUrn] = []
    /// By group, for each of the horizons: where older installs tell of it.
    private var sources: [[GrowthSource?]]
    private var progress: GrowthProgress

    init(_ groups: InstallGroups, models: Int) {
        var sources = [[GrowthSource?]](repeating: [], count: groups.groupCount)
        for horizon in GrowthForecast.horizons {
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
        guard let place = GrowthForecast.horizons.firstIndex(of: horizon) else { return true }
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

/// Whose growth a group's installs have, and how many times as much.
struct GrowthSource {
    let urn: Int
    let scale: Double
}

/// Where the groups of one model have their growth until a horizon from: their own older installs; where these are
/// fewer than ten, those of their class, and else of the model. Of others it is taken in proportion to the revenue
/// before.
private struct GrowthSources {
    private(set) var urns: [GrowthUrn] = []
    private(set) var sources: [GrowthSource?] = []

    init(_ groups: [InstallGroup], _ horizon: Horizon, firstUrn: Int) {
        let before = Horizon(rawValue: horizon.rawValue - 1) ?? .day2
        let own = groups.map { $0.growth(until: horizon, from: before) }
        func soFar(_ members: [Int]) -> Double {
            let count = members.reduce(0) { $0 + groups[$1].installs }
            let sum = members.reduce(0) { $0 + groups[$1].mean(before) * Double(groups[$1].installs) }
            return count > 0 ? sum / Double(count) : 0
        }
        var wholes: [[Int]: GrowthSource] = [:]
        for place in groups.indices {
            guard own[place].count < GrowthForecast.enough else {
                sources.append(GrowthSource(urn: firstUrn + urns.count, scale: 1))
                urns.append(own[place])
                continue
            }
            let ofClass = groups.indices.filter { groups[$0].coarseClass == groups[place].coarseClass }
            let source = [ofClass, [Int](groups.indices)].lazy.compactMap { members -> GrowthSource? in
                let count = members.reduce(0) { $0 + own[$1].count }
                let (others, wanted) = (soFar(members), soFar([place]))
                guard count >= GrowthForecast.enough, others > 0 || wanted <= 0 else { return nil }
                return GrowthSource(urn: members.count, scale: others > 0 ? max(wanted, 0) / others : 1)
            }.first
            guard let source else {
                sources.append(nil)
                continue
            }
            let members = source.urn == ofClass.count ? ofClass : [Int](groups.indices)
            if wholes[members] == nil {
                wholes[members] = GrowthSource(urn: firstUrn + urns.count, scale: 1)
                urns.append(GrowthUrn(members.map { own[$0] }))
            }
            sources.append(wholes[members].map { GrowthSource(urn: $0.urn, scale: source.scale) })
        }
    }
}

extension GrowthUrn {
    fileprivate init(_ urns: [GrowthUrn]) {
        var (growths, count) = ([Double](), 0)
        for urn in urns { urn.appended(to: &growths, &count) }
        self.init(growths, count: count)
    }
}

extension InstallGroup {
    /// Of those that are old enough.
    fileprivate func growth(until horizon: Horizon, from before: Horizon) -> GrowthUrn {
        var (growths, count) = ([Double](), 0)
        for installs in weeks.dropFirst(horizon.weeks) {
            count += installs.count
            for revenue in installs.revenues {
                let growth = revenue[horizon.rawValue] - revenue[before.rawValue]
                if growth != 0 { growths.append(growth) }
            }
        }
        return GrowthUrn(growths, count: count)
    }
}

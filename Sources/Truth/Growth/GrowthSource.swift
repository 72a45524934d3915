/// The source that a group's growth is drawn from: the index of an urn, and the factor by which the growths drawn from
/// the urn are multiplied.
struct GrowthSource {
    /// The horizons that an install can be too young for.
    static var horizons: [Horizon] { ofWindows + Horizon.afterWindows }
    static var ofWindows: [Horizon] { [.day7, .day35] }
    /// A group with at least this many older installs is its own source.
    static var enough: Int { 10 }

    let urn: Int
    let scale: Double
}

/// The sources of growth until a horizon for the groups of one model. A group with at least ten older installs is its
/// own source. For any other group the source is its coarse class or, if that has too few older installs, the model,
/// and the growth is scaled in proportion to the revenue before.
struct GrowthSources {
    private(set) var urns: [GrowthUrn] = []
    private(set) var sources: [GrowthSource?] = []

    init(_ groups: [InstallGroup], _ horizon: Horizon, firstUrn: Int) {
        let before = horizon.growsFrom
        let all = groups.reduce(into: LaterShares()) { $0.add($1.later) }
        let own = groups.map { $0.growth(until: horizon, from: before, all) }
        func soFar(_ members: [Int]) -> Double {
            let count = members.reduce(0) { $0 + groups[$1].installs }
            let sum = members.reduce(0) { $0 + groups[$1].mean(before) * Double(groups[$1].installs) }
            return count > 0 ? sum / Double(count) : 0
        }
        var wholes: [[Int]: GrowthSource] = [:]
        for place in groups.indices {
            guard own[place].count < GrowthSource.enough else {
                sources.append(GrowthSource(urn: firstUrn + urns.count, scale: 1))
                urns.append(own[place])
                continue
            }
            let ofClass = groups.indices.filter { groups[$0].coarseClass == groups[place].coarseClass }
            let source = [ofClass, [Int](groups.indices)].lazy.compactMap { members -> GrowthSource? in
                let count = members.reduce(0) { $0 + own[$1].count }
                let (others, wanted) = (soFar(members), soFar([place]))
                guard count >= GrowthSource.enough, others > 0 || wanted <= 0 else { return nil }
                return GrowthSource(urn: members.count, scale: others > 0 ? max(wanted, 0) / others : 1)
            }.first
            guard let source else {
                sources.append(nil)
                continue
            }
            let members = source.urn == ofClass.count ? ofClass : [Int](groups.indices)
            if wholes[members] == nil {
                wholes[members] = GrowthSource(urn: firstUrn + urns.count, scale: 1)
                urns.append(GrowthUrn(members.map { own[$0] }, all))
            }
            sources.append(wholes[members].map { GrowthSource(urn: $0.urn, scale: source.scale) })
        }
    }
}

extension GrowthUrn {
    fileprivate init(_ urns: [GrowthUrn], _ all: LaterShares) {
        var (growths, count, later) = ([Growth](), 0, LaterShares())
        for urn in urns { urn.appended(to: &growths, &count, &later) }
        self.init(growths, count: count, later, all)
    }
}

extension InstallGroup {
    /// The growth of the installs that are old enough for `horizon`: until that horizon, or until now if the horizon is
    /// after the windows.
    fileprivate func growth(until horizon: Horizon, from before: Horizon, _ all: LaterShares) -> GrowthUrn {
        let end = horizon.window == nil ? Horizon.toDate : horizon
        var (growths, count, later) = ([Growth](), 0, LaterShares())
        for (week, installs) in weeks.enumerated().dropFirst(horizon.weeks) {
            count += installs.count
            later.add(installs.later)
            for (revenue, code) in zip(installs.revenues, installs.laterCodes) {
                let growth = revenue[end] - revenue[before]
                if growth != 0 { growths.append(Growth(amount: growth, week: week, laterCode: Int(code))) }
            }
        }
        return GrowthUrn(growths, count: count, later, all)
    }
}

extension Horizon {
    /// The horizon from which growth until this one is measured: the previous horizon, but never one after day 35.
    var growsFrom: Horizon {
        switch self {
        case .day2, .day7: .day2
        case .day35: .day7
        case .day60, .day90, .day180, .toDate: .day35
        }
    }
}

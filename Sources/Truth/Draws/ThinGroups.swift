/// For each line, counts the installs whose estimates are based on too few of the app's own installs, or on none.
struct ThinGroups {
    /// An estimate needs this many of the app's own installs with the same value.
    static var enough: Int { 10 }
    /// The greatest share of a line's installs that may have values for which there are not enough of the app's own
    /// installs.
    private static var toleratedShare: Double { 0.05 }
    /// Installs of thin groups are counted in this many draws.
    static var countedDraws: Int { 100 }

    /// A group that lacks installs in the app's own store.
    private struct Lack: Hashable, Comparable {
        /// The index of a group. Higher indices stand for coarse classes that have no group, by model.
        let place: Int
        /// The horizon until which the group's growth is unknown; nil if too few of the app's own installs have the
        /// value at all.
        let horizon: Horizon?
        let lacking: Int

        func matters(_ until: Horizon) -> Bool {
            horizon.map { until != .toDate && $0.rawValue <= until.rawValue } ?? true
        }

        static func < (one: Lack, other: Lack) -> Bool {
            (one.place, one.horizon?.rawValue ?? 0) < (other.place, other.horizon?.rawValue ?? 0)
        }
    }

    private struct LineCounts {
        var installs = 0
        var ofOtherModels = 0
        var young = PerHorizon<Int>(repeating: 0)
        var lacks: [Lack: Double] = [:]
    }

    private let sizes: [Int]
    /// For each group, the horizons until which its growth is unknown. `beyondAll` and later horizons are left out.
    private let unknownGrowth: [[Horizon]]
    /// The first horizon until which the growth of no group is known; nil if there is none.
    private let beyondAll: Horizon?
    private var lines: [LineCounts]
    var isCounting = true

    init(_ sizes: [Int], _ growth: GrowthForecast, lines: Int) {
        self.sizes = sizes
        let beyondAll = Horizon.dated.first { horizon in !sizes.indices.contains { growth.isKnown($0, horizon) } }
        unknownGrowth = sizes.indices.map { group in
            Horizon.dated.filter { $0.rawValue < beyondAll?.rawValue ?? .max && !growth.isKnown(group, $0) }
        }
        self.beyondAll = beyondAll
        self.lines = [LineCounts](repeating: LineCounts(), count: lines)
    }

    mutating func count(_ told: [ReportedInstalls]) {
        for installs in told {
            for line in installs.places {
                lines[line].installs += installs.count
                if case .other = installs.model { lines[line].ofOtherModels += installs.count }
                for horizon in Horizon.dated where installs.week < horizon.weeks {
                    lines[line].young[horizon.rawValue] += installs.count
                }
            }
        }
    }

    /// Counts an install of a line that has the value of `group`, which none of the app's own installs has.
    mutating func add(_ group: Int, _ line: Int) {
        add(line, Lack(place: group, horizon: nil, lacking: ThinGroups.enough))
    }

    /// Counts an install of a line with a coarse value whose class has none of the app's own installs.
    mutating func add(classOf coarseValue: Int, _ model: Int, _ line: Int) {
        let place = sizes.count + model * ValueMix.classes + coarseValue
        add(line, Lack(place: place, horizon: nil, lacking: ThinGroups.enough))
    }

    mutating func add(drawn group: Int, week: Int, _ line: Int) {
        guard isCounting else { return }
        if sizes[group] < ThinGroups.enough {
            add(line, Lack(place: group, horizon: nil, lacking: ThinGroups.enough - sizes[group]))
        } else if let horizon = unknownGrowth[group].first(where: { week < $0.weeks }) {
            add(line, Lack(place: group, horizon: horizon, lacking: ThinGroups.enough))
        }
    }

    private mutating func add(_ line: Int, _ lack: Lack) {
        if isCounting { lines[line].lacks[lack, default: 0] += 1 }
    }

    mutating func endCounting(_ draws: Int) {
        for line in lines.indices {
            for lack in lines[line].lacks.keys {
                lines[line].lacks[lack]? /= Double(min(draws, ThinGroups.countedDraws))
            }
        }
    }

    /// Nil if the lines together have an estimate.
    func whyNot(_ lines: [Int], _ horizon: Horizon) -> BroughtAnswer? {
        var (installs, others, young) = (0, 0, 0)
        var lacks: [Lack: Double] = [:]
        for line in lines {
            installs += self.lines[line].installs
            others += self.lines[line].ofOtherModels
            young += self.lines[line].young[horizon.rawValue]
            for (lack, count) in self.lines[line].lacks where lack.matters(horizon) { lacks[lack, default: 0] += count }
        }
        guard installs > 0 else { return .none(.noInstalls) }
        let tolerated = Double(installs) * ThinGroups.toleratedShare
        guard Double(others) <= tolerated else { return .none(.noInstallsOfModel) }
        if let beyondAll, horizon != .toDate, horizon.rawValue >= beyondAll.rawValue, Double(young) > tolerated {
            return .none(.tooFewInstalls, needed: UInt64(ThinGroups.enough))
        }
        return needed(lacks, tolerated).map { .none(.tooFewInstalls, needed: $0) }
    }

    /// About how many more of the app's own installs would be enough for an estimate, if they were in the groups where
    /// each of them helps most; nil if there are enough.
    private func needed(_ lacks: [Lack: Double], _ tolerated: Double) -> UInt64? {
        var left = lacks.keys.sorted().reduce(0) { $0 + (lacks[$1] ?? 0) }
        guard left > tolerated else { return nil }
        func worth(_ lack: Lack) -> Double { (lacks[lack] ?? 0) / Double(lack.lacking) }
        var needed = 0
        for lack in lacks.keys.sorted().sorted(by: { worth($0) > worth($1) }) where left > tolerated {
            left -= lacks[lack] ?? 0
            needed += lack.lacking
        }
        return UInt64(needed)
    }
}

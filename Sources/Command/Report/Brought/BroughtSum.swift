/// Adds up what a line's installs brought until a horizon.
///
/// All of the app's own installs are known, so a campaign's installs with a value are drawn from a known finite
/// population, without putting back: the variance of their sum is k (1 − k/N) S² (Cochran, Sampling Techniques, 2.6).
/// Those that are too young for the horizon are no members of it: n (1 + n/N) S².
struct BroughtSum {
    /// By group: expected installs that are old enough, and those that are not.
    private var old: [Double]
    private var young: [Double]
    private var doubt = Cumulants()
    /// By network, model and class: standard deviations that add up, as they are of one and the same mix.
    private var shared: [Int: Double] = [:]
    private var installs = 0.0
    /// Of a class that no install is of.
    private var unknown = 0.0
    private var ofOtherModels = 0.0

    /// So many groups that follow each other are of one value: one of each week.
    private let groupsPerValue: Int

    init(groups: Int, perValue: Int = 1) {
        groupsPerValue = perValue
        old = [Double](repeating: 0, count: groups)
        young = old
    }

    /// Installs with a known value.
    mutating func add(_ count: Double, group: Int, isOld: Bool) {
        installs += count
        if isOld { old[group] += count } else { young[group] += count }
    }

    /// Expected ones of those that were added as hidden.
    mutating func add(expected count: Double, group: Int, oldShare: Double) {
        old[group] += count * oldShare
        young[group] += count * (1 - oldShare)
    }

    mutating func addHidden(_ count: Double, unknown: Double, _ doubt: Cumulants) {
        installs += count
        self.unknown += unknown
        self.doubt.add(doubt)
    }

    mutating func add(shared deviation: Double, of mix: Int) { shared[mix, default: 0] += deviation }

    mutating func add(ofOtherModel count: Double) {
        installs += count
        ofOtherModels += count
    }

    /// So many installs of a group are enough.
    static var enough: Double { 10 }
    /// What may rest on groups that have fewer, or have none.
    private static var toleratedShare: Double { 0.05 }

    /// `moments`: of each group, of its installs that are old enough. `mayBeNegative`: there are refunds.
    func answer(mayBeNegative: Bool, _ moments: (Int) -> RevenueMoments) -> BroughtAnswer {
        guard installs > 0 else { return .none(.noInstalls) }
        guard ofOtherModels <= installs * BroughtSum.toleratedShare else { return .none(.noInstallsOfModel) }
        var sum = doubt
        for deviation in shared.values.sorted() { sum.variance += deviation * deviation }
        var (unknown, thin) = (unknown, 0.0)
        for group in old.indices where old[group] + young[group] > 0 {
            let moments = moments(group)
            if moments.count == 0 {
                unknown += old[group] + young[group]
                continue
            }
            if moments.count < BroughtSum.enough { thin += old[group] + young[group] }
            sum.add(cumulants(old[group], young[group], moments))
        }
        guard unknown + thin <= installs * BroughtSum.toleratedShare else {
            return .none(.tooFewInstalls, needed: needed(moments))
        }
        // Installs of no group, or of one that nothing is known of, are taken for installs like the line's others.
        let scale = installs / (installs - unknown - ofOtherModels)
        sum.mean *= scale
        sum.variance *= scale * scale
        sum.third *= scale * scale * scale
        let interval = sum.interval
        // Where few installs bring nearly all, the mean may lie outside the interval of the fitted distribution.
        let low = min(mayBeNegative ? interval.low : max(interval.low, 0), sum.mean)
        return .figure(BroughtFigure(sum.mean, (low, max(interval.high, sum.mean))))
    }

    /// About so many more own installs would do: those that the fewest values lack, for what may rest on few.
    private func needed(_ moments: (Int) -> RevenueMoments) -> UInt64 {
        var thin: [Int: (installs: Double, lacking: Double)] = [:]
        for group in old.indices where old[group] + young[group] > 0 && moments(group).count < BroughtSum.enough {
            let value = thin[group / groupsPerValue] ?? (0, 0)
            let lacking = max(value.lacking, BroughtSum.enough - moments(group).count)
            thin[group / groupsPerValue] = (value.installs + old[group] + young[group], lacking)
        }
        var left = thin.values.reduce(unknown) { $0 + $1.installs }
        var needed = unknown > 0 ? BroughtSum.enough : 0
        if unknown > 0 { left -= unknown }
        for value in thin.values.sorted(by: { $0.installs / $0.lacking > $1.installs / $1.lacking })
        where left > installs * BroughtSum.toleratedShare {
            left -= value.installs
            needed += value.lacking
        }
        return UInt64(max(needed.rounded(.up), 1))
    }

    private func cumulants(_ old: Double, _ young: Double, _ moments: RevenueMoments) -> Cumulants {
        let population = max(moments.count, 1)
        let drawn = min(old, population)
        let share = drawn / population
        // More than there are: the store lacks installs, and these are as unknown as those to come.
        let others = young + (old - drawn)
        let ratio = others / population
        let (variance, third) = (moments.variance, moments.third)
        return Cumulants(
            mean: (old + young) * moments.mean,
            variance: (drawn * (1 - share) + others * (1 + ratio)) * variance,
            third: (drawn * (1 - share) * (1 - 2 * share) + others * (1 + 2 * ratio * ratio)) * third)
    }
}

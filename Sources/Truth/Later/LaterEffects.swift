import SKANCore

/// The differences in windows 1 and 2 between campaigns' installs and the app's own installs with the same values in
/// window 0. A campaign is assumed to be like its network, and a network like the app, unless postbacks show otherwise.
/// The size of these differences is fitted too, so a campaign without postbacks may differ as much as the others do.
struct LaterEffects {
    /// Indexed by campaign.
    private let networks: [Int]
    private let networkCount: Int
    private var fits: [LaterFit]
    private var deviations = [(campaigns: TiltFit, networks: TiltFit)](
        repeating: (TiltFit(), TiltFit()), count: LaterOdds.count)
    private(set) var sendsAfterSilence = true
    /// For each step, indexed by `LaterOdds.place`, the distributions from which the deviations of campaigns and of
    /// networks are drawn.
    private var drawings: [(campaigns: TiltFit.Drawing, networks: TiltFit.Drawing)] = []
    private var usualShares: [Double] = []
    /// For each network, whether the observations of each step can be used, indexed by `LaterOdds.place`.
    private let isUsable: [[Bool]]

    var campaigns: Int { networks.count }

    /// The prior standard deviation of the logarithm of the odds ratio between all campaigns and the app's own
    /// installs.
    private static var appDeviation: Double { 0.5 }
    private static var rounds: Int { 4 }

    /// `units`: the lines whose postbacks describe each campaign. `later`: the postbacks of windows 1 and 2, if they
    /// can be compared.
    init(_ units: [[Int]], networks: [Int], _ later: LaterWindows?, _ groups: InstallGroups) {
        self.networks = networks
        networkCount = (networks.max() ?? -1) + 1
        let counts = units.map { lines in Window.later.compactMap { later?.counts(lines, $0) } }
        let chains = groups.laterChains
        isUsable = LaterEffects.usable(units, networks, later)
        fits = networks.map { _ in LaterFit() }
        fit(counts, chains, afterSilence: true)
        sendsAfterSilence = saysAfterSilence(counts)
        if !sendsAfterSilence { fit(counts, chains, afterSilence: false) }
        drawings = deviations.map { ($0.campaigns.drawing, $0.networks.drawing) }
        usualShares = deviations.indices.map { usualShare($0) }
    }

    /// Whether window 2 has postbacks of installs without a value in window 1. Apple does not document it, so the
    /// answer is the one that fits the number of values in window 2 better.
    private func saysAfterSilence(_ counts: [[LaterCounts]]) -> Bool {
        let values = counts.reduce(0) { sum, counts in
            sum + counts.filter { $0.window == .third }.reduce(0) { $0 + $1.reported(.any) }
        }
        let expected = fits.reduce(into: (all: 0.0, afterValue: 0.0)) { sum, fit in
            sum = (sum.all + fit.ofThird.all, sum.afterValue + fit.ofThird.afterValue)
        }
        return (values - expected.all).magnitude <= (values - expected.afterValue).magnitude
    }

    /// Fits, by turns, the odds of each campaign and how much campaigns and networks differ.
    private mutating func fit(_ counts: [[LaterCounts]], _ chains: [LaterChain], afterSilence: Bool) {
        for _ in 0..<LaterEffects.rounds {
            let levels = (0..<LaterOdds.count).map { level($0) }
            for (campaign, network) in networks.enumerated() {
                let priors = levels.map {
                    Tilt(mean: $0.networks[network].mean, variance: $0.ofCampaigns * $0.ofCampaigns)
                }
                let usable = counts[campaign].filter { isUsable[network][LaterOdds.place($0.window, 0)] }
                fits[campaign] = LaterFit(usable, chains, priors, afterSilence: afterSilence)
            }
            for place in deviations.indices { fitDeviations(place) }
        }
    }

    /// Whether the observations of each step can be used, by network and `LaterOdds.place`. Observations of a window
    /// with far too few or too many postbacks cannot, because they say nothing about players.
    private static func usable(_ units: [[Int]], _ networks: [Int], _ later: LaterWindows?) -> [[Bool]] {
        (0..<(networks.max() ?? -1) + 1).map { network in
            let lines = Set(networks.indices.filter { networks[$0] == network }.flatMap { units[$0] }).sorted()
            let checks = later?.checks(lines) ?? []
            var isUsable = [Bool](repeating: true, count: LaterOdds.count)
            for check in checks where check.kind == .any && !check.isPlausible {
                for kind in LaterKind.allCases { isUsable[LaterOdds.place(check.window, kind.rawValue)] = false }
            }
            return isUsable
        }
    }

    /// The estimates of one step's odds for the app and for each network, given how much campaigns and networks differ.
    private struct Level {
        let ofCampaigns: Double
        let ofNetworks: Double
        var app: Tilt
        var networks: [Tilt]
    }

    private func level(_ place: Int) -> Level {
        level(place, deviations[place].campaigns.deviation, deviations[place].networks.deviation)
    }

    private func level(_ place: Int, _ ofCampaigns: Double, _ ofNetworks: Double) -> Level {
        let seen = seenOfNetworks(place, ofCampaigns)
        let app = Tilt(
            deviation: LaterEffects.appDeviation, seen: seen.compactMap { $0?.widened(by: ofNetworks) })
        return Level(
            ofCampaigns: ofCampaigns, ofNetworks: ofNetworks, app: app,
            networks: seen.map { app.mean(of: $0, deviation: ofNetworks) })
    }

    /// For each network, the combined observation of one step by its campaigns; nil for a network without observations.
    /// `place`: the step's `LaterOdds.place`. `ofCampaigns`: the standard deviation of campaigns.
    private func seenOfNetworks(_ place: Int, _ ofCampaigns: Double) -> [Tilt?] {
        var sums = [Tilt.Sum](repeating: Tilt.Sum(), count: networkCount)
        for (campaign, network) in networks.enumerated() {
            if let seen = fits[campaign].seen[place] { sums[network].add(seen.widened(by: ofCampaigns)) }
        }
        return sums.map { $0.tilt }
    }

    /// The mean probability of a step over the campaigns for which it is known.
    private func usualShare(_ place: Int) -> Double {
        let known = fits.map { $0.shares[place] }.filter { $0 > 0 }
        return known.isEmpty ? 0.5 : known.reduce(0, +) / Double(known.count)
    }

    /// Fits how much campaigns and networks differ in the odds of one step, by comparing each campaign with the others
    /// of its network, and each network with the other networks.
    private mutating func fitDeviations(_ place: Int) {
        let level = level(place)
        var sums = [Tilt.Sum](repeating: Tilt.Sum(), count: networkCount)
        for (campaign, network) in networks.enumerated() {
            if let seen = fits[campaign].seen[place] { sums[network].add(seen.widened(by: level.ofCampaigns)) }
        }
        var fitted = (campaigns: TiltFit(), networks: TiltFit())
        for (campaign, network) in networks.enumerated() {
            guard let seen = fits[campaign].seen[place] else { continue }
            var others = sums[network]
            others.remove(seen.widened(by: level.ofCampaigns))
            let expected = level.app.mean(of: others.tilt, deviation: level.ofNetworks)
            fitted.campaigns.add(seen.mean - expected.mean, variance: seen.variance + expected.variance)
        }
        var all = Tilt.Sum()
        for sum in sums { if let seen = sum.tilt { all.add(seen.widened(by: level.ofNetworks)) } }
        for sum in sums {
            guard let seen = sum.tilt else { continue }
            var others = all
            others.remove(seen.widened(by: level.ofNetworks))
            let expected = Tilt(deviation: LaterEffects.appDeviation, seen: [others.tilt].compactMap { $0 })
            fitted.networks.add(seen.mean - expected.mean, variance: seen.variance + expected.variance)
        }
        deviations[place] = fitted
    }

    /// Draws the odds of each campaign. `first`: the number of the first campaign's odds; the others are numbered
    /// consecutively.
    func draw(_ numbers: inout DrawnNumbers, first: Int) -> [LaterOdds] {
        var drawn = [[Double]](
            repeating: [Double](repeating: 0, count: LaterOdds.count), count: networks.count)
        for place in deviations.indices { draw(place, &drawn, &numbers) }
        return drawn.indices.map { LaterOdds(drawn[$0], number: first + $0) }
    }

    private func draw(_ place: Int, _ drawn: inout [[Double]], _ numbers: inout DrawnNumbers) {
        let level = level(
            place, drawings[place].campaigns.draw(&numbers), drawings[place].networks.draw(&numbers))
        let app = level.app.mean + level.app.variance.squareRoot() * numbers.normal()
        let seen = seenOfNetworks(place, level.ofCampaigns)
        let ofNetworks = seen.map { seen in
            let network = Tilt(mean: app, variance: 0).mean(of: seen, deviation: level.ofNetworks)
            let share = network.variance / (level.ofNetworks * level.ofNetworks)
            return (
                drawn: network.mean + network.variance.squareRoot() * numbers.normal(),
                variance: network.variance + share * share * level.app.variance
            )
        }
        for (campaign, network) in networks.enumerated() where isUsable[network][place] {
            let fit = fits[campaign]
            let expected = fit.shares[place] > 0 ? fit.shares[place] : usualShares[place]
            let tilt = Tilt(mean: ofNetworks[network].drawn, variance: 0)
                .mean(of: fit.seen[place], deviation: level.ofCampaigns)
            let share = tilt.variance / (level.ofCampaigns * level.ofCampaigns)
            let variance = tilt.variance + share * share * ofNetworks[network].variance
            // Corrects the mean, so that the uncertainty of the odds does not change how many installs are expected to
            // take the step.
            drawn[campaign][place] =
                tilt.mean + tilt.variance.squareRoot() * numbers.normal() - variance * (0.5 - expected)
        }
    }
}

extension Tilt {
    /// The estimate for one campaign or network. It combines the observation `seen` of this one with the mean of all,
    /// from which a single one differs by about `deviation`.
    fileprivate func mean(of seen: Tilt?, deviation: Double) -> Tilt {
        var sum = Sum()
        sum.add(widened(by: deviation))
        if let seen { sum.add(seen) }
        return sum.tilt ?? self
    }

    /// A precision-weighted sum of several observations of the same quantity.
    fileprivate struct Sum {
        private var precision = 0.0
        private var weighted = 0.0
        private var count = 0

        mutating func add(_ seen: Tilt) {
            precision += 1 / seen.variance
            weighted += seen.mean / seen.variance
            count += 1
        }

        mutating func remove(_ seen: Tilt) {
            precision -= 1 / seen.variance
            weighted -= seen.mean / seen.variance
            count -= 1
        }

        /// Nil without observations.
        var tilt: Tilt? { count > 0 ? Tilt(mean: weighted / precision, variance: 1 / precision) : nil }
    }
}

import CSKANSystem

/// The mix of values of each campaign's installs under one model, fitted to reported values and the app's own installs.
///
/// A network's mix differs from the app's, and a campaign's from its network's, in two ways. It has a tilt t: values
/// with the score s are exp(t s) times as frequent. In addition, the share of each value differs a little,
/// independently of its score. In the same two ways, the mix of all campaigns together (`app`) differs from that of all
/// installs of the app (`own`), which include the organic ones.
struct ValueMix {
    /// The number of possible values: each fine value, and no value.
    private static var values: Int { InstallGroup.count }
    static var classes: Int { 3 }

    /// The number of installs by campaign and fine value.
    private var fine: [Double]
    /// The number of installs that reported only a coarse value, by campaign and coarse value.
    private var coarse: [Double]
    /// The numbers in `fine`, plus the coarse values spread over the fine values of their class.
    private var counts: [Double] = []
    /// Indexed by campaign.
    private let networks: [Int]
    fileprivate let networkCount: Int
    /// For each fine value, the coarse value that most of the app's own installs with it have.
    let classOf: [Int]
    fileprivate let own: MixBase
    /// The score of each value: the logarithm of 1 + r, where r is the mean revenue to day 7 of installs with the
    /// value, divided by the mean of all installs.
    private let scores: [Double]

    fileprivate var app: MixBase
    private var ofNetworks: [MixBase]
    private var appRatios = ValueRatios(values: ValueMix.values)
    private var networkRatios: [ValueRatios]
    private var fits = (campaigns: TiltFit(), networks: TiltFit())

    init(_ groups: InstallGroups, _ model: Int, networks: [Int]) {
        self.networks = networks
        networkCount = (networks.max() ?? -1) + 1
        fine = [Double](repeating: 0, count: networks.count * ValueMix.values)
        coarse = [Double](repeating: 0, count: networks.count * ValueMix.classes)
        let all = (0..<ValueMix.values).map { groups[model, $0] }
        classOf = all.map { $0.coarseClass }
        let means = all.map { max($0.mean(.day7, olderThan: Horizon.day7.weeks), 0) }
        let installs = all.map { Double($0.installs) }
        let mean = zip(installs, means).reduce(0) { $0 + $1.0 * $1.1 } / max(installs.reduce(0, +), 1)
        scores = means.map { mean > 0 ? log(1 + $0 / mean) : 0 }
        own = MixBase(installs, scores)
        app = own
        ofNetworks = [MixBase](repeating: own, count: networkCount)
        networkRatios = [ValueRatios](repeating: ValueRatios(values: ValueMix.values), count: networkCount)
    }

    mutating func add(_ count: Double, fine value: Int, campaign: Int) {
        fine[campaign * ValueMix.values + value] += count
    }

    mutating func add(_ count: Double, coarse value: Int, campaign: Int) {
        coarse[campaign * ValueMix.classes + value] += count
    }

    var hasValues: Bool { fine.contains { $0 > 0 } || coarse.contains { $0 > 0 } }

    private static var rounds: Int { 12 }
    /// The prior standard deviation of the tilt of `app` relative to `own`, about as large as the deviation of
    /// networks.
    fileprivate static var appDeviation: Double { 0.3 }

    /// Fits mixes, tilts and ratios by turns.
    mutating func fit() {
        guard !networks.isEmpty else { return }
        for _ in 0..<ValueMix.rounds {
            spreadCoarse()
            fitRatios()
            fitTilts()
            let tilts = Tilts(self, fits.campaigns.deviation, fits.networks.deviation)
            app = MixBase(own.tilted(tilts.app).scaled { appRatios.ratio($0) }, scores)
            ofNetworks = (0..<networkCount).map { network in
                MixBase(app.tilted(tilts.networks[network]).scaled { networkRatios[network].ratio($0) }, scores)
            }
        }
    }

    private func counts(of campaign: Int) -> ArraySlice<Double> {
        counts[campaign * ValueMix.values..<(campaign + 1) * ValueMix.values]
    }

    /// The mix of a campaign, tilted but without ratios of its own.
    private func tilted(_ campaign: Int) -> [Double] {
        let base = ofNetworks[networks[campaign]]
        let seen = counts.isEmpty ? nil : base.tilt(counts(of: campaign), deviation: fits.campaigns.deviation)
        let tilt = Tilt(deviation: fits.campaigns.deviation, seen: [seen].compactMap { $0 })
        return MixBase(base.tilted(tilt), scores).shares
    }

    private mutating func spreadCoarse() {
        var spread = fine
        for campaign in networks.indices {
            let told = coarse[campaign * ValueMix.classes..<(campaign + 1) * ValueMix.classes]
            guard told.contains(where: { $0 > 0 }) else { continue }
            let first = campaign * ValueMix.values
            let weights = weights(of: campaign)
            for (coarseValue, count) in told.enumerated() where count > 0 {
                for (value, share) in ofClass(coarseValue, weights) { spread[first + value] += count * share }
            }
        }
        counts = spread
    }

    /// Returns the fine values of this coarse value's class, each with its expected share of the campaign's installs
    /// that reported the coarse value.
    func spread(_ coarseValue: Int, campaign: Int) -> [(value: Int, share: Double)] {
        ofClass(coarseValue, weights(of: campaign))
    }

    private func ofClass(_ coarseValue: Int, _ weights: [Double]) -> [(value: Int, share: Double)] {
        let members = weights.indices.filter { classOf[$0] == coarseValue }
        let sum = members.reduce(0) { $0 + weights[$1] }
        return sum > 0 ? members.map { (value: $0, share: weights[$0] / sum) } : []
    }

    /// The weight of each value in a campaign, including the campaign's own ratios.
    private func weights(of campaign: Int) -> [Double] {
        let first = campaign * ValueMix.values
        let ofCampaign = fine[first..<first + ValueMix.values]
        let number = ofCampaign.reduce(0, +)
        let mix = tilted(campaign)
        let ratios = ValueRatios(ofCampaign, expected: mix.map { $0 * number })
        return mix.scaled { ratios.ratio($0) }
    }

    private mutating func fitRatios() {
        let none = ValueRatios(values: ValueMix.values)
        var below = [ValueRatios](repeating: none, count: networkCount)
        for campaign in networks.indices {
            let network = networks[campaign]
            let number = counts(of: campaign).reduce(0, +)
            // A ratio compares counts with what is expected without the ratio, so the network's ratio is divided out.
            let expected = tilted(campaign).scaled { number / networkRatios[network].ratio($0) }
            below[network].add(ValueRatios(counts(of: campaign), expected: expected))
        }
        networkRatios = below
        var ofApp = none
        for ratios in below {
            ofApp.add(ValueRatios(ratios.counts[...], expected: ratios.expected.scaled { 1 / appRatios.ratio($0) }))
        }
        appRatios = ofApp
    }

    private mutating func fitTilts() {
        var fits = (campaigns: TiltFit(), networks: TiltFit())
        for campaign in networks.indices {
            guard
                let tilt = ofNetworks[networks[campaign]].tilt(
                    counts(of: campaign), deviation: self.fits.campaigns.deviation)
            else { continue }
            fits.campaigns.add(tilt.mean, variance: tilt.variance)
        }
        let tilts = Tilts(self, fits.campaigns.deviation, self.fits.networks.deviation)
        for seen in tilts.seenOfNetworks where !seen.isEmpty {
            let tilt = Tilt(deviation: 1e6, seen: seen)
            fits.networks.add(tilt.mean, variance: tilt.variance)
        }
        self.fits = fits
    }
}

/// Estimates of the tilts, given the deviations of campaigns and networks.
private struct Tilts {
    /// For each network, the observed tilts of its campaigns relative to the app.
    let seenOfNetworks: [[Tilt]]
    let networks: [Tilt]
    let app: Tilt

    init(_ mix: ValueMix, _ ofCampaigns: Double, _ ofNetworks: Double) {
        seenOfNetworks = mix.seenOfNetworks(beside: mix.app, ofCampaigns, prior: ofCampaigns + ofNetworks)
        networks = seenOfNetworks.map { Tilt(deviation: ofNetworks, seen: $0) }
        let seen = mix.seenOfNetworks(
            beside: mix.own, ofCampaigns, prior: ofCampaigns + ofNetworks + ValueMix.appDeviation
        ).filter { !$0.isEmpty }.map {
            Tilt(deviation: 1e6, seen: $0).widened(by: ofNetworks)
        }
        app = Tilt(deviation: ValueMix.appDeviation, seen: seen)
    }
}

extension ValueMix {
    /// For each network, the observed tilts of its campaigns relative to `base`. `deviation`: the standard deviation of
    /// campaigns, by which the tilts are widened. `prior`: the standard deviation of a tilt's prior.
    fileprivate func seenOfNetworks(beside base: MixBase, _ deviation: Double, prior: Double) -> [[Tilt]] {
        var seen = [[Tilt]](repeating: [], count: networkCount)
        for campaign in networks.indices {
            guard let tilt = base.tilt(counts(of: campaign), deviation: prior) else { continue }
            seen[networks[campaign]].append(tilt.widened(by: deviation))
        }
        return seen
    }

    func drawBase(_ numbers: inout DrawnNumbers) -> DrawnBase {
        let ofCampaigns = fits.campaigns.draw(&numbers)
        let tilts = Tilts(self, ofCampaigns, fits.networks.draw(&numbers))
        let drawn = own.drawTilted(tilts.app, &numbers)
        let app = MixBase(drawn.indices.map { drawn[$0] * appRatios.drawRatio($0, &numbers) }, scores)
        let mixes = (0..<networkCount).map { network in
            let drawn = app.drawTilted(tilts.networks[network], &numbers)
            return MixBase(drawn.indices.map { drawn[$0] * networkRatios[network].drawRatio($0, &numbers) }, scores)
        }
        return DrawnBase(deviation: ofCampaigns, networks: mixes)
    }

    func drawMix(of campaign: Int, around base: DrawnBase, _ numbers: inout DrawnNumbers) -> DrawnMix {
        let network = base.networks[networks[campaign]]
        let seen = network.tilt(counts(of: campaign), deviation: base.deviation)
        let tilt = Tilt(deviation: base.deviation, seen: [seen].compactMap { $0 })
        let tilted = MixBase(network.drawTilted(tilt, &numbers), scores).shares
        let told = fine[campaign * ValueMix.values..<(campaign + 1) * ValueMix.values]
        let number = told.reduce(0, +)
        let ratios = ValueRatios(told, expected: tilted.map { $0 * number })
        let drawn = tilted.indices.map { tilted[$0] * ratios.drawRatio($0, &numbers) }
        let ofClasses = coarse[campaign * ValueMix.classes..<(campaign + 1) * ValueMix.classes]
        return DrawnMix(drawn, classOf: classOf, coarse: ofClasses, &numbers)
    }
}

extension [Double] {
    fileprivate func scaled(_ factor: (Int) -> Double) -> [Double] { indices.map { self[$0] * factor($0) } }
}

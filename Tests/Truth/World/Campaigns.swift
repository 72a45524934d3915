internal import CSKANSystem
internal import SKANCore
internal import SKANSimulatedDevice

/// An ad campaign: when it runs, and how much more of each value it brings than there are.
struct Campaign {
    let network: Int
    /// The last two digits of its source identifiers.
    let digits: Int
    let times: Range<Int64>
    /// How likely it is that it brought a player of each value who came while it ran.
    fileprivate(set) var shares: [Double]
    /// How many times as many players of each country it brings as its share of each value says.
    let countries: [Double]
    /// How much keener its players are than others of the same value, in deviations.
    let leaning: Double
    /// How many times as likely its players are to pay after window 0 as others of the same value.
    let payerRate: Double

    /// How many times as likely it is to have brought this player as others of the same value. `laterPayers`: the share of
    /// players of that value who pay after window 0.
    fileprivate func weight(_ player: Player, laterPayers: Double) -> Double {
        let country = countries.count == 1 ? 1 : countries[player.country]
        let weight = payerRate == 1 ? country : country * payerWeight(player, laterPayers)
        return leaning == 0 ? weight : weight * exp(leaning * (Life.keenness(player.seed) - leaning / 2))
    }

    /// The factor for who pays later. Its mean over all players of one value is 1, so that campaigns differ in whom they
    /// bring, not in how many.
    private func payerWeight(_ player: Player, _ laterPayers: Double) -> Double {
        guard laterPayers > 0, laterPayers < 1 else { return 1 }
        let rate = min(payerRate, 1 / laterPayers)
        return player.paysLater ? rate : (1 - rate * laterPayers) / (1 - laterPayers)
    }
}

/// The campaigns of a world. Lives are lived first: which campaign brought a player depends on the value, the country and
/// the time of the install alone, so that players of one value are alike, whoever brought them; unless campaigns lean.
struct Campaigns {
    /// How large a crowd has to be, for values to be told.
    let crowdScale: Int
    private(set) var campaigns: [Campaign] = []
    /// The share of players of each value who pay after window 0.
    private let laterPayers: [Double]

    /// `counts`: how many players have each value, who came in `times`; `payers`: how many of them pay after window 0;
    /// `part`: how many of all campaigns may bring.
    init(
        _ chance: inout Chance, _ counts: [Int], payers: [Int], times: Range<Int64>, part: Double, _ traits: Traits
    ) {
        laterPayers = zip(payers, counts).map { Double($0) / Double(max($1, 1)) }
        let all = counts.reduce(0, +)
        let networks = 2 + chance.among(2)
        crowdScale = min(1 << chance.among(5), max(1, all / 2000)) * max(1, all / 100_000)
        let tilts = (0..<networks).map { _ in chance.normal(0.5) }
        let number = 6 + chance.among(15)
        var sizes = (0..<number).map { _ in chance.logUniform(20, 6000) }
        let most = part * Double(all) / sizes.reduce(0, +)
        // A world of any number of installs has as many as that of campaigns.
        if most < 1 || all > 100_000 { sizes = sizes.map { $0 * most } }
        let leanings = (0..<networks).map { _ in traits.leaning == 0 ? 0 : chance.normal(traits.leaning) }
        for (place, size) in sizes.enumerated() {
            let network = place % networks
            let weights = Campaigns.weights(&chance, counts, tilts[network] + chance.normal(0.4))
            let whole = Double(times.count)
            let start = Campaigns.start(&chance, whole, traits)
            let length = min(whole - start, chance.between(0.15, 1) * whole)
            let running = Double(all) * length / whole
            let first = times.lowerBound + Int64(start)
            campaigns.append(
                Campaign(
                    network: network, digits: 10 + place * 4, times: first..<first + Int64(length),
                    shares: weights.map { $0 * min(size / running, 0.35) },
                    countries: Campaigns.countries(&chance, traits.countries),
                    leaning: traits.leaning == 0 ? 0 : leanings[network] + chance.normal(traits.leaning),
                    payerRate: traits.payerRates.map { chance.logUniform($0.0, $0.1) } ?? 1))
        }
        share(atMost: 0.95 / (traits.payerRates?.1 ?? 1), counts)
    }

    /// Seconds after the app's beginning.
    private static func start(_ chance: inout Chance, _ whole: Double, _ traits: Traits) -> Double {
        if traits.startsLate, chance.isDrawn(0.7) { return max(0, whole - chance.between(5, 34) * 86_400) }
        return chance.isDrawn(0.4) ? 0 : chance.between(0, 0.7) * whole
    }

    /// The weight of each country, in the mean 1: campaigns are shown in some countries more than in others.
    private static func countries(_ chance: inout Chance, _ shares: [Double]) -> [Double] {
        guard shares.count > 1 else { return [1] }
        let weights = shares.map { _ in exp(chance.normal(0.8)) }
        let mean = zip(weights, shares).reduce(0) { $0 + $1.0 * $1.1 }
        return weights.map { $0 / mean }
    }

    /// The weight of each value, in the mean 1.
    private static func weights(_ chance: inout Chance, _ counts: [Int], _ tilt: Double) -> [Double] {
        let weights = counts.indices.map {
            min(max(exp(tilt * (Double($0 % 64) / 8 - 1) + chance.normal(0.3)), 0.3), 2)
        }
        let mean = zip(weights, counts).reduce(0) { $0 + $1.0 * Double($1.1) } / Double(counts.reduce(0, +))
        return weights.map { $0 / mean }
    }

    /// No player is brought twice: what runs when another one begins is what runs together.
    private mutating func share(atMost most: Double, _ counts: [Int]) {
        let sums = campaigns.flatMap { beginning in
            let together = campaigns.filter { $0.times.contains(beginning.times.lowerBound) }
            return counts.indices.map { value in
                counts[value] == 0 ? 0 : together.reduce(0) { $0 + $1.shares[value] }
            }
        }
        let factor = min(1, most / (sums.max() ?? most))
        for place in campaigns.indices { campaigns[place].shares = campaigns[place].shares.map { $0 * factor } }
    }

    /// Draws the campaign that brought a player, if any did.
    func drawn(_ chance: inout Chance, _ player: Player) -> Int? {
        var left = chance.part()
        for (place, campaign) in campaigns.enumerated() where campaign.times.contains(player.installed) {
            left -= campaign.shares[player.value] * campaign.weight(player, laterPayers: laterPayers[player.value])
            if left < 0 { return place }
        }
        return nil
    }
}

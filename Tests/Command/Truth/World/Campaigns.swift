internal import CSKANSystem
internal import SKANCore

/// An ad campaign: when it runs, and how much more of each value it brings than there are.
struct Campaign {
    let network: Int
    /// The last two digits of its source identifiers.
    let digits: Int
    let times: Range<Int64>
    /// How likely it is that it brought a player of each value who came while it ran.
    fileprivate(set) var shares: [Double]
}

/// The campaigns of a world. Lives are lived first: which campaign brought a player depends on the value and on the time
/// of the install alone, so that players of one value are alike, whoever brought them.
struct Campaigns {
    /// How large a crowd has to be, for values to be told.
    let crowdScale: Int
    private(set) var campaigns: [Campaign] = []

    /// `counts`: how many players have each value, who came in `times`; `part`: how many of all campaigns may bring.
    init(_ chance: inout Chance, _ counts: [Int], times: Range<Int64>, part: Double) {
        let all = counts.reduce(0, +)
        let networks = 2 + chance.among(2)
        crowdScale = (1 << chance.among(5)) * max(1, all / 100_000)
        let tilts = (0..<networks).map { _ in chance.normal(0.5) }
        let number = 6 + chance.among(15)
        var sizes = (0..<number).map { _ in chance.logUniform(20, 6000) }
        let most = part * Double(all) / sizes.reduce(0, +)
        // A world of any number of installs has as many as that of campaigns.
        if most < 1 || all > 100_000 { sizes = sizes.map { $0 * most } }
        for (place, size) in sizes.enumerated() {
            let network = place % networks
            let weights = Campaigns.weights(&chance, counts, tilts[network] + chance.normal(0.4))
            let whole = Double(times.count)
            let start = chance.isDrawn(0.4) ? 0 : chance.between(0, 0.7) * whole
            let length = min(whole - start, chance.between(0.15, 1) * whole)
            let running = Double(all) * length / whole
            let first = times.lowerBound + Int64(start)
            campaigns.append(
                Campaign(
                    network: network, digits: 10 + place * 4, times: first..<first + Int64(length),
                    shares: weights.map { $0 * min(size / running, 0.35) }))
        }
        share(atMost: 0.95, counts)
    }

    /// Of each value, in the mean 1.
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

    /// Who brought a player, if anybody.
    func drawn(_ chance: inout Chance, _ player: Player) -> Int? {
        var left = chance.part()
        for (place, campaign) in campaigns.enumerated() where campaign.times.contains(player.installed) {
            left -= campaign.shares[player.value]
            if left < 0 { return place }
        }
        return nil
    }
}

extension Campaigns {
    /// The marketer's file: each campaign with what it cost, and its two ad sets.
    func file() -> Message {
        var lines: Message = "network,identifier,campaign,ad_set,cost,currency\n"
        for campaign in campaigns {
            let (network, digits) = (networkName(campaign.network), campaign.digits)
            lines = """
                \(lines)\(network),\(digits),Campaign \(digits),,\(digits)00,USD
                \(network),1\(digits),Campaign \(digits),Set 1,,
                \(network),2\(digits),Campaign \(digits),Set 2,,

                """
        }
        return lines
    }
}

func networkName(_ network: Int) -> Message { "network-\(network).example" }

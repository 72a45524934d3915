/// The values of campaigns' installs under one model: what postbacks told, and a base for each campaign of what the
/// others tell, its network's more than the app's.
///
/// A campaign's mix of values is drawn around its network's with the concentration κ, a network's around the app's with
/// another. Of a coarse value alone all that is known is the class of fine values that have it.
struct ValueMix {
    /// Fine values, and none.
    private static var values: Int { InstallGroup.count }
    static var classes: Int { 3 }

    /// By campaign and value.
    private var fine: [Double]
    /// By campaign and coarse value.
    private var coarse: [Double]
    /// Each campaign's network.
    private let networks: [Int]
    private let networkCount: Int
    /// The coarse value of each fine one.
    let classOf: [Int]
    /// The installs' own mix.
    private let own: [Double]
    private let scores: [Double]

    private var appMix: [Double]
    private var networkMixes: [[Double]]
    private(set) var concentration = 50.0
    private var networkConcentration = 50.0
    /// What each network's campaigns tell of it, in installs.
    private var networkWeights: [Double]

    init(_ groups: InstallGroups, _ model: Int, networks: [Int]) {
        self.networks = networks
        networkCount = (networks.max() ?? -1) + 1
        fine = [Double](repeating: 0, count: networks.count * ValueMix.values)
        coarse = [Double](repeating: 0, count: networks.count * ValueMix.classes)
        let all = (0..<ValueMix.values).map { groups[model, $0] }
        let installs = all.reduce(0) { $0 + $1.installs }
        classOf = all.map { $0.coarseClass }
        own = all.map { installs > 0 ? $0.installs / installs : 0 }
        scores = all.map { max($0.dated[Horizon.day7.rawValue].mean, 0).squareRoot() }
        appMix = own
        networkMixes = [[Double]](repeating: own, count: networkCount)
        networkWeights = [Double](repeating: 0, count: networkCount)
    }

    mutating func add(_ count: Double, fine value: Int, campaign: Int) {
        fine[campaign * ValueMix.values + value] += count
    }

    mutating func add(_ count: Double, coarse value: Int, campaign: Int) {
        coarse[campaign * ValueMix.classes + value] += count
    }

    /// Whether any value was told.
    var hasValues: Bool { fine.contains { $0 > 0 } || coarse.contains { $0 > 0 } }

    private static var rounds: Int { 20 }
    /// After these the concentrations are fitted anew.
    private static var fittingRounds: [Int] { [5, 10, 15] }
    /// The installs' own mix counts in the app's as so many installs.
    private static var ownWeight: Double { 20 }

    /// Fits mixes and concentrations, in turns: coarse values are spread over the fine ones of their class, as the
    /// campaign's own mix has them.
    mutating func fit() {
        guard !networks.isEmpty else { return }
        for round in 0..<ValueMix.rounds {
            let counts = spreadCounts()
            let told = networkCounts(counts)
            fitMixes(told)
            if ValueMix.fittingRounds.contains(round) { fitConcentrations(counts, told) }
        }
    }

    /// What a campaign's values are drawn around, and how surely.
    func posterior(_ campaign: Int) -> MixPosterior {
        let network = networks[campaign]
        let values = campaign * ValueMix.values..<(campaign + 1) * ValueMix.values
        let classes = campaign * ValueMix.classes..<(campaign + 1) * ValueMix.classes
        return MixPosterior(
            base: networkMixes[network].map { $0 * concentration }, fine: fine[values], coarse: coarse[classes],
            classOf: classOf, networkWeight: networkConcentration + networkWeights[network], network: network)
    }

    private func spreadCounts() -> [Double] {
        var counts = fine
        for campaign in networks.indices {
            let mix = networkMixes[networks[campaign]]
            let first = campaign * ValueMix.values
            for coarseValue in 0..<ValueMix.classes {
                let more = coarse[campaign * ValueMix.classes + coarseValue]
                guard more > 0 else { continue }
                func weight(_ value: Int) -> Double {
                    classOf[value] == coarseValue ? concentration * mix[value] + fine[first + value] : 0
                }
                let sum = mix.indices.reduce(0) { $0 + weight($1) }
                guard sum > 0 else { continue }
                for value in mix.indices { counts[first + value] += more * weight(value) / sum }
            }
        }
        return counts
    }

    /// What a campaign tells of its network: the less each install, the more of them there are.
    private func networkCounts(_ counts: [Double]) -> [Double] {
        var told = [Double](repeating: 0, count: networkCount * ValueMix.values)
        for campaign in networks.indices {
            let own = counts[campaign * ValueMix.values..<(campaign + 1) * ValueMix.values]
            let weight = concentration / (concentration + own.reduce(0, +))
            for (value, count) in own.enumerated() {
                told[networks[campaign] * ValueMix.values + value] += count * weight
            }
        }
        return told
    }

    private mutating func fitMixes(_ told: [Double]) {
        var ofApp = own.map { $0 * ValueMix.ownWeight }
        for network in 0..<networkCount {
            let counts = told[network * ValueMix.values..<(network + 1) * ValueMix.values]
            let sum = counts.reduce(0, +)
            networkWeights[network] = sum
            let weight = networkConcentration / (networkConcentration + sum)
            for (value, count) in counts.enumerated() {
                networkMixes[network][value] =
                    (networkConcentration * appMix[value] + count) / (networkConcentration + sum)
                ofApp[value] += count * weight
            }
        }
        let sum = ofApp.reduce(0, +)
        if sum > 0 { appMix = ofApp.map { $0 / sum } }
    }

    private mutating func fitConcentrations(_ counts: [Double], _ told: [Double]) {
        var (campaigns, ofNetworks) = (ConcentrationFit(), ConcentrationFit())
        for campaign in networks.indices {
            campaigns.add(
                counts[campaign * ValueMix.values..<(campaign + 1) * ValueMix.values],
                around: networkMixes[networks[campaign]], scores)
        }
        for network in 0..<networkCount {
            ofNetworks.add(
                told[network * ValueMix.values..<(network + 1) * ValueMix.values], around: appMix, scores)
        }
        concentration = campaigns.concentration
        networkConcentration = ofNetworks.concentration
    }
}

/// What is known of a campaign's mix of values, in two storeys: how installs are spread over the classes of one coarse
/// value, and within each class over its fine values. Both are Dirichlet distributed; coarse values tell of the first
/// storey alone.
struct MixPosterior {
    /// κ times the mix of the network, by fine value.
    let base: [Double]
    let classOf: [Int]
    /// How many installs the network's own mix rests on.
    let networkWeight: Double
    let network: Int
    /// Within its class, each value's share.
    private var shares: [Double]
    /// Of each class: the weight of the split within it, of its base, and of the class among all.
    private var splitWeights = InlineArray<3, Double>(repeating: 0)
    private var baseWeights = InlineArray<3, Double>(repeating: 0)
    private var classWeights = InlineArray<3, Double>(repeating: 0)

    init(
        base: [Double], fine: ArraySlice<Double>, coarse: ArraySlice<Double>, classOf: [Int], networkWeight: Double,
        network: Int
    ) {
        self.base = base
        self.classOf = classOf
        self.networkWeight = networkWeight
        self.network = network
        shares = base
        for (value, count) in fine.enumerated() {
            shares[value] += count
            splitWeights[classOf[value]] += shares[value]
            baseWeights[classOf[value]] += base[value]
        }
        for (coarseValue, count) in coarse.enumerated() {
            classWeights[coarseValue] = splitWeights[coarseValue] + count
        }
        for value in shares.indices where splitWeights[classOf[value]] > 0 {
            shares[value] /= splitWeights[classOf[value]]
        }
    }

    private var sum: Double { classWeights[0] + classWeights[1] + classWeights[2] }

    func share(_ value: Int) -> Double { shares[value] }

    /// Of the classes, in which hidden ones are expected.
    func classShare(_ coarseValue: Int) -> Double { sum > 0 ? classWeights[coarseValue] / sum : 0 }

    /// Whether no fine value is known of a class: the installs have none.
    func isUnknown(_ coarseValue: Int) -> Bool { splitWeights[coarseValue] <= 0 }

    /// The doubt of the sum of installs' means where `unknown` installs of each class have unknown fine values, and
    /// `hidden` of them are of unknown class; and the part of it that is shared with the network's other campaigns, by
    /// class, and of the classes.
    func doubt(
        _ unknown: InlineArray<3, Double>, hidden: Double, _ means: [Double]
    ) -> (own: Cumulants, shared: InlineArray<4, Double>) {
        var own = Cumulants()
        var shared = InlineArray<4, Double>(repeating: 0)
        var spread = InlineArray<3, Cumulants>(repeating: Cumulants())
        for value in means.indices { spread[classOf[value]].mean += shares[value] * means[value] }
        for value in means.indices {
            let distance = means[value] - spread[classOf[value]].mean
            spread[classOf[value]].variance += shares[value] * distance * distance
            spread[classOf[value]].third += shares[value] * distance * distance * distance
        }
        var among = Cumulants()
        for coarseValue in unknown.indices where !isUnknown(coarseValue) {
            let weight = splitWeights[coarseValue]
            own.add(drawn(unknown[coarseValue], spread[coarseValue], weight))
            shared[coarseValue] =
                unknown[coarseValue] * baseWeights[coarseValue] / weight
                * (spread[coarseValue].variance / (networkWeight * classShare(coarseValue) + 1)).squareRoot()
            among.mean += classShare(coarseValue) * spread[coarseValue].mean
        }
        for coarseValue in unknown.indices {
            let distance = spread[coarseValue].mean - among.mean
            among.variance += classShare(coarseValue) * distance * distance
            among.third += classShare(coarseValue) * distance * distance * distance
        }
        own.add(drawn(hidden, among, sum))
        let ofBase = baseWeights[0] + baseWeights[1] + baseWeights[2]
        if sum > 0 { shared[3] = hidden * ofBase / sum * (among.variance / (networkWeight + 1)).squareRoot() }
        return (own, shared)
    }

    /// Of `count` draws from a Dirichlet distributed mix of this weight (Pólya's urn): about their expected sum.
    private func drawn(_ count: Double, _ spread: Cumulants, _ weight: Double) -> Cumulants {
        let variance = count * spread.variance * (weight + count) / (weight + 1)
        let skewing = (weight + 2 * count) / (weight + 2)
        let third = count * spread.third * (weight + count) / (weight + 1) * skewing
        return Cumulants(mean: 0, variance: variance, third: third)
    }
}

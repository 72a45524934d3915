/// The deviation of campaigns from their networks, and each network's mix, in one draw.
struct DrawnBase {
    let deviation: Double
    let networks: [MixBase]
}

/// A campaign's mix of values in one draw.
struct DrawnMix {
    let shares: [Double]

    /// `weights`: the weight of each value, as expected from the reported fine values. `coarse`: the number of installs
    /// that reported only a coarse value, by coarse value.
    init(_ weights: [Double], classOf: [Int], coarse: ArraySlice<Double>, _ numbers: inout DrawnNumbers) {
        let told = coarse.reduce(0, +)
        var weights = weights
        if told > 0 {
            var classes = [Double](repeating: 0, count: coarse.count)
            let sum = weights.reduce(0, +)
            for value in weights.indices { classes[classOf[value]] += weights[value] / sum }
            let ratios = ValueRatios(coarse, expected: classes.map { $0 * told })
            let drawn = classes.indices.map { ratios.drawRatio($0, &numbers) }
            for value in weights.indices { weights[value] *= drawn[classOf[value]] }
        }
        let sum = weights.reduce(0, +)
        shares = sum > 0 ? weights.map { $0 / sum } : weights
    }

    /// The share of each value among the installs of one class, or among all installs if no class is given. If the
    /// class has no known value, the shares are those among all installs, and `isOfClass` is false.
    func shares(ofClass coarseValue: Int?, _ classOf: [Int]) -> (shares: [Double], isOfClass: Bool) {
        guard let coarseValue else { return (shares, true) }
        let ofClass = shares.indices.map { classOf[$0] == coarseValue ? shares[$0] : 0 }
        let sum = ofClass.reduce(0, +)
        return sum > 0 ? (ofClass.map { $0 / sum }, true) : (shares, false)
    }
}

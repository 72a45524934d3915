import Testing

@testable import SKANCommandReport

private func isNear(_ one: Double, _ other: Double, _ share: Double = 1e-6) -> Bool {
    (one - other).magnitude <= share * max(other.magnitude, 1e-12)
}

@Test func quantilesOfGammaDistributionsAreThoseOfTheTables() {
    // Shape k: half of chi-squared with 2k degrees of freedom.
    let table: [(shape: Double, low: Double, high: Double)] = [
        (0.5, 0.000982069117 / 2, 5.02388618731 / 2), (1, 0.0506356159686 / 2, 7.37775890823 / 2),
        (10, 9.59077739226 / 2, 34.1696069166 / 2), (50, 74.2219274749 / 2, 129.561197187 / 2),
    ]
    for row in table {
        let gamma = GammaDistribution(shape: row.shape)
        #expect(isNear(gamma.quantile(0.025), row.low), "shape \(row.shape)")
        #expect(isNear(gamma.quantile(0.975), row.high), "shape \(row.shape)")
    }
}

@Test func anIntervalWithoutSkewIsThatOfANormalDistribution() {
    let interval = Cumulants(mean: 100, variance: 25, third: 0).interval
    #expect(isNear(interval.low, 100 - 1.959963984540054 * 5) && isNear(interval.high, 100 + 1.959963984540054 * 5))
}

@Test func anIntervalOfAGammaDistributionIsItsOwn() {
    // Shape 10 and scale 3 have mean 30, variance 90 and third cumulant 540.
    let interval = Cumulants(mean: 30, variance: 90, third: 540).interval
    #expect(isNear(interval.low, 3 * 9.59077739226 / 2) && isNear(interval.high, 3 * 34.1696069166 / 2))
}

@Test func skewToTheOtherSideMirrorsTheInterval() {
    let (right, left) = (Cumulants(mean: 0, variance: 4, third: 5), Cumulants(mean: 0, variance: 4, third: -5))
    #expect(isNear(right.interval.low, -left.interval.high) && isNear(right.interval.high, -left.interval.low))
    #expect(right.interval.high > -right.interval.low)
}

@Test func intervalsHaveNoStepWhereTheirReckoningChanges() {
    // Skewness 2/√shape, just below and above shapes of 1 000 and 10⁷.
    for shape in [1_000.0, 1e7] {
        let ends = [0.999, 1.001].map { side in
            Cumulants(mean: 0, variance: 1, third: 2 / (shape * side).squareRoot()).interval
        }
        #expect(isNear(ends[0].low, ends[1].low, 1e-3) && isNear(ends[0].high, ends[1].high, 1e-3))
    }
}

@Test func whatIsCertainHasAnIntervalOfOnePoint() {
    let interval = Cumulants(mean: 7, variance: 0, third: 0).interval
    #expect(interval.low == 7 && interval.high == 7)
}

@Test func cumulantsOfIndependentPartsAreAdded() {
    var sum = Cumulants(mean: 1, variance: 2, third: 3)
    sum.add(Cumulants(mean: 10, variance: 20, third: 30))
    #expect(sum.mean == 11 && sum.variance == 22 && sum.third == 33)
}

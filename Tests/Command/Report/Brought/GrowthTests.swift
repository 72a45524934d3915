import Testing

@testable import SKANCommandReport

private func growths(_ amounts: Double...) -> [Growth] { amounts.map { Growth(amount: $0, week: 10) } }

@Test func growthIsDrawnFromWhatOlderInstallsBrought() {
    var (urn, numbers) = (GrowthUrn(growths(5, 7), count: 10), DrawnNumbers(seed: 1))
    var sum = 0.0
    for _ in 0..<20_000 {
        urn.beginDraw()
        let growth = urn.draw(&numbers).amount
        #expect(growth == 0 || growth == 5 || growth == 7)
        sum += growth
    }
    #expect((sum / 20_000 - 1.2).magnitude < 0.05)
}

@Test func theGrowthOfManyIsAsUnsureAsThatOfTheSample() {
    // The mean of the sample is 0.2 with the variance 0.16 / 11: that of a Bayesian bootstrap of ten.
    var (urn, numbers) = (GrowthUrn(growths(1, 1), count: 10), DrawnNumbers(seed: 1))
    let means = (0..<4000).map { _ in
        urn.beginDraw()
        return (0..<500).reduce(0) { sum, _ in sum + urn.draw(&numbers).amount } / 500
    }
    let mean = means.reduce(0, +) / 4000
    let variance = means.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 4000
    #expect((mean - 0.2).magnitude < 0.01 && (variance * 11 / 0.16 - 1).magnitude < 0.15)
}

@Test func oneLargeGrowthDoesNotDecideOnTheMeanOfMany() {
    let urn = GrowthUrn(growths(1, 1, 1000), count: 4)
    #expect(urn.mean(atMost: 2) == 1 && urn.sum == 1002)
}

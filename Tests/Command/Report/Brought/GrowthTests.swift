import Testing

@testable import SKANCommandReport

/// A sample of installs that are too young for windows 1 and 2, of which some brought these amounts.
private func sample(_ amounts: Double..., count: Int) -> GrowthUrn {
    var later = LaterShares()
    later.add(Double(count), .unknown)
    return GrowthUrn(amounts.map { Growth(amount: $0, week: 10, laterCode: 0) }, count: count, later, later)
}

@Test func growthIsDrawnFromWhatOlderInstallsBrought() {
    var (urn, numbers) = (sample(5, 7, count: 10), DrawnNumbers(seed: 1))
    var sum = 0.0
    for _ in 0..<20_000 {
        urn.beginDraw()
        let growth = urn.draw(&numbers, .unknown).amount
        #expect(growth == 0 || growth == 5 || growth == 7)
        sum += growth
    }
    #expect((sum / 20_000 - 1.2).magnitude < 0.05)
}

@Test func theGrowthOfManyIsAsUnsureAsThatOfTheSample() {
    // The mean of the sample is 0.2 with the variance 0.16 / 11: that of a Bayesian bootstrap of ten.
    var (urn, numbers) = (sample(1, 1, count: 10), DrawnNumbers(seed: 1))
    let means = (0..<4000).map { _ in
        urn.beginDraw()
        return (0..<500).reduce(0) { sum, _ in sum + urn.draw(&numbers, .unknown).amount } / 500
    }
    let mean = means.reduce(0, +) / 4000
    let variance = means.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 4000
    #expect((mean - 0.2).magnitude < 0.01 && (variance * 11 / 0.16 - 1).magnitude < 0.15)
}

@Test func oneLargeGrowthDoesNotDecideOnTheMeanOfMany() {
    let urn = sample(1, 1, 1000, count: 4)
    #expect(urn.mean(atMost: 2) == 1 && urn.sum == 1002)
}

@Test func growthIsThatOfInstallsWithTheCampaignsLaterValues() {
    // Five of ten have a value in window 1, and only they bring 1 each.
    let (told, untold) = (LaterState.Told.low.rawValue * LaterState.Told.count, LaterState.Told.count)
    var later = LaterShares()
    later.add(5, LaterState(code: told))
    later.add(5, LaterState(code: untold))
    let growths = (0..<5).map { _ in Growth(amount: 1, week: 10, laterCode: told) }
    var (urn, numbers) = (GrowthUrn(growths, count: 10, later, later), DrawnNumbers(seed: 1))
    let odds = LaterOdds([1.0986, 0, 0, 0, 0, 0], number: 1)
    var sum = 0.0
    for _ in 0..<20_000 {
        urn.beginDraw()
        sum += urn.draw(&numbers, odds).amount
    }
    // Odds of 1 to 1 become 3 to 1.
    #expect((sum / 20_000 - 0.75).magnitude < 0.02)
}

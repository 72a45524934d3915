import Testing

@testable import SKANTruth

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

@Test func growthOfManyIsDrawnAsThatOfOneAfterTheOther() {
    var (urn, numbers) = (sample(1, 3, count: 10), DrawnNumbers(seed: 1))
    func moments(_ draw: () -> Double) -> (mean: Double, variance: Double) {
        let sums = (0..<8000).map { _ in draw() }
        let mean = sums.reduce(0, +) / 8000
        return (mean, sums.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 8000)
    }
    let single = moments {
        urn.beginDraw()
        return (0..<60).reduce(0) { sum, _ in sum + urn.draw(&numbers, .unknown).amount }
    }
    // Two at once, between which single ones are drawn: the urn remembers what was drawn.
    let many = moments {
        urn.beginDraw()
        var sum = 0.0
        urn.drawMany(25, &numbers) { growth, _ in sum += growth.amount }
        for _ in 0..<10 { sum += urn.draw(&numbers, .unknown).amount }
        urn.drawMany(25, &numbers) { growth, _ in sum += growth.amount }
        return sum
    }
    // 60 draws of 0.4 in the mean; the variance of one is 0.84, of all of them 60 * 0.84 * (10 + 60) / 11.
    #expect((single.mean - 24).magnitude < 0.9 && (many.mean - 24).magnitude < 0.9)
    #expect((single.variance / 320.7 - 1).magnitude < 0.15 && (many.variance / 320.7 - 1).magnitude < 0.15)
}

@Test func anUrnWithoutGrowthDrawsNone() {
    var (urn, numbers) = (sample(count: 10), DrawnNumbers(seed: 1))
    urn.drawMany(1000, &numbers) { _, _ in Issue.record("A growth was drawn.") }
    #expect(urn.draw(&numbers, .unknown).amount == 0)
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

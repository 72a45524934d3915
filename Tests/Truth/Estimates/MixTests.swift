import Testing

@testable import SKANTruth

private func areNear(_ shares: [Double], _ wanted: [Double], _ distance: Double = 1e-9) -> Bool {
    shares.count == wanted.count && zip(shares, wanted).allSatisfy { ($0 - $1).magnitude < distance }
}

@Test func aTiltIsThatOfTheCounts() throws {
    let base = MixBase([8, 1, 1], [0, 1, 2])
    // Shares that a tilt of 0.7 gives.
    let tilted = base.tilted(Tilt(mean: 0.7, variance: 0))
    let counts = tilted.map { $0 / tilted.reduce(0, +) * 50_000 }
    let seen = try #require(base.tilt(counts[...], deviation: 1))
    #expect((seen.mean - 0.7).magnitude < 0.001 && seen.variance < 1e-3)
    let few = try #require(base.tilt(counts.map { $0 / 10_000 }[...], deviation: 1))
    #expect((few.mean - 0.7).magnitude < 0.1 && (few.variance / seen.variance / 10_000 - 1).magnitude < 0.1)
}

@Test func countsThatTellNothingHaveNoTilt() {
    #expect(MixBase([8, 1], [0, 1]).tilt([0, 0], deviation: 1) == nil)
    #expect(MixBase([8, 1], [1, 1]).tilt([5, 5], deviation: 1) == nil)
}

@Test func oneInstallWithADearValueDoesNotDecideOnATilt() throws {
    let seen = try #require(MixBase([999, 1], [0, 6]).tilt([19, 1], deviation: 0.2))
    let tilt = Tilt(deviation: 0.2, seen: [seen])
    #expect(tilt.mean > 0 && tilt.mean < 0.3 && tilt.variance <= 0.04)
}

@Test func tiltsAreWeighedByWhatIsKnownOfThem() {
    let tilt = Tilt(deviation: 1, seen: [Tilt(mean: 2, variance: 1), Tilt(mean: 4, variance: 0.5)])
    #expect(tilt.mean == 2.5 && tilt.variance == 0.25)
    #expect(Tilt(deviation: 3, seen: []).variance == 9)
}

@Test func theDoubtOfATiltDoesNotMoveTheMeanOfAShare() {
    let base = MixBase([6, 3, 1], [0, 1, 2])
    var numbers = DrawnNumbers(seed: 4)
    var means = [0.0, 0, 0]
    for _ in 0..<40_000 {
        for (value, share) in base.drawTilted(Tilt(mean: 0, variance: 0.25), &numbers).enumerated() {
            means[value] += share / 40_000
        }
    }
    #expect(areNear(means, [0.6, 0.3, 0.1], 0.005))
}

@Test func campaignsThatDifferHaveALargerDeviation() {
    func deviation(_ tilts: [Double]) -> Double {
        var fit = TiltFit()
        for tilt in tilts { fit.add(tilt, variance: 0.0004) }
        return fit.deviation
    }
    let alike = deviation([0.01, -0.02, 0, 0.02, -0.01, 0.01])
    let unlike = deviation([0.4, -0.3, 0.2, -0.4, 0.3, -0.2])
    #expect(alike < 0.05 && (0.25...0.45).contains(unlike))
    // Nothing was seen: the prior alone.
    #expect((deviation([]) - 0.3).magnitude < 1e-9)
}

@Test func aDrawnDeviationIsOneThatTheTiltsAllow() {
    var fit = TiltFit()
    for tilt in [0.2, -0.1, 0.15, -0.2] { fit.add(tilt, variance: 0.01) }
    var numbers = DrawnNumbers(seed: 3)
    let drawn = (0..<4000).map { _ in fit.draw(&numbers) }
    #expect((drawn.reduce(0, +) / 4000 / fit.deviation - 1).magnitude < 0.03 && Set(drawn).count > 10)
}

@Test func aCampaignsOwnCountsDecideTheMoreTheMoreThereAre() {
    #expect(ValueRatios([0], expected: [0]).ratio(0) == 1)
    #expect(ValueRatios([16], expected: [8]).ratio(0) == 1.5)
    #expect((ValueRatios([2000], expected: [1000]).ratio(0) - 2).magnitude < 0.01)
    var above = ValueRatios(values: 1)
    above.add(ValueRatios([4], expected: [1]))
    above.add(ValueRatios([4000], expected: [1000]))
    // Few count as what they are, many as what differs between campaigns allows.
    #expect((above.expected[0] - 8 / 9.0 - 8 * 1000 / 1008.0).magnitude < 1e-9)
}

@Test func coarseValuesTellOfClassesAlone() {
    var numbers = DrawnNumbers(seed: 1)
    var means = [0.0, 0, 0]
    for _ in 0..<20_000 {
        let mix = DrawnMix([3, 1, 4], classOf: [0, 0, 1], coarse: [3000, 1000, 0], &numbers)
        for value in 0..<3 { means[value] += mix.shares[value] / 20_000 }
    }
    #expect(areNear(means, [0.75 * 0.75, 0.75 * 0.25, 0.25], 0.01))
}

@Test func anInstallOfACoarseValueHasAValueOfItsClass() {
    var numbers = DrawnNumbers(seed: 1)
    let classes = [0, 0, 1]
    let mix = DrawnMix([3, 1, 4], classOf: classes, coarse: [0, 0, 0], &numbers)
    #expect(areNear(mix.shares(ofClass: nil, classes).shares, [3.0 / 8, 1.0 / 8, 0.5]))
    #expect(areNear(mix.shares(ofClass: 0, classes).shares, [0.75, 0.25, 0]))
    // No value is known of the class: any.
    let unknown = mix.shares(ofClass: 2, classes)
    #expect(areNear(unknown.shares, mix.shares) && !unknown.isOfClass)
}

@Test func valuesArePackedWithoutLoss() {
    let told: [ReportedValue] = [.fine(0), .fine(63), .coarse(0), .coarse(2), .hidden]
    for value in told {
        let key = PostbackValueKey(line: 70_000, model: 3, day: 19_700, value: value)
        #expect(key.line == 70_000 && key.model == 3 && key.day == 19_700)
        switch (key.value, value) {
        case (.fine(let one), .fine(let other)), (.coarse(let one), .coarse(let other)): #expect(one == other)
        case (.hidden, .hidden): break
        default: Issue.record("\(value) became \(key.value)")
        }
    }
    let key = PostbackValueKey(line: 1, model: PlaceOfModel.undecided, day: 2, value: .hidden)
    #expect(key.model == PlaceOfModel.undecided && key.line == 1 && key.day == 2)
}

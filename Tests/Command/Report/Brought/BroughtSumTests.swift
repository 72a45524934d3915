import Testing

@testable import SKANCommandReport

private func moments(_ revenues: [Double]) -> RevenueMoments {
    var moments = RevenueMoments()
    for revenue in revenues { moments.add(revenue) }
    return moments
}

private func answer(
    _ population: [Double], mayBeNegative: Bool = false, _ add: (inout BroughtSum) -> Void
) -> BroughtAnswer {
    var sum = BroughtSum(groups: 1)
    add(&sum)
    return sum.answer(mayBeNegative: mayBeNegative) { _ in moments(population) }
}

/// Three quarters brought nothing.
private let payers = [Double](repeating: 0, count: 30) + [Double](repeating: 8, count: 10)

@Test func momentsAreThoseOfThePopulation() {
    let found = moments([0, 0, 6])
    // Distances of -2, -2 and 4 from the mean.
    #expect(found.count == 3 && found.mean == 2 && found.variance == 24 / 2 && found.third == 48 / 3)
    #expect(moments([]).mean == 0 && moments([]).variance == 0 && moments([]).third == 0 && moments([5]).variance == 0)
}

@Test func thePartsOfAPopulationHaveItsMoments() {
    var found = moments([1, 2])
    found.add(moments([3, 10]))
    let whole = moments([1, 2, 3, 10])
    #expect(found.mean == whole.mean && found.variance == whole.variance && found.third == whole.third)
}

@Test func aWholeGroupIsKnownExactly() throws {
    let figure = try #require(answer(payers) { $0.add(40, group: 0, isOld: true) }.figure)
    #expect(figure.estimate == 80 && figure.low == 80 && figure.high == 80)
}

@Test func theMoreOfAGroupIsDrawnTheLessIsInDoubt() throws {
    let widths = try [20.0, 30, 38].map { count in
        let figure = try #require(answer(payers) { $0.add(count, group: 0, isOld: true) }.figure)
        #expect(figure.estimate == 2 * count && figure.low < figure.estimate && figure.estimate < figure.high)
        return (figure.high - figure.low) / figure.estimate
    }
    #expect(widths[0] > widths[1] && widths[1] > widths[2])
}

@Test func whatIsToComeIsLessSureThanWhatWas() throws {
    let old = try #require(answer(payers) { $0.add(20, group: 0, isOld: true) }.figure)
    let young = try #require(answer(payers) { $0.add(20, group: 0, isOld: false) }.figure)
    #expect(young.estimate == old.estimate && young.high > old.high && young.low < old.low)
}

@Test func moreInstallsThanTheStoreHasAreInDoubtAsThoseToCome() throws {
    let figure = try #require(answer(payers) { $0.add(60, group: 0, isOld: true) }.figure)
    #expect(figure.estimate == 120 && figure.low < 120 && figure.high > 120)
}

@Test func onlyRefundsMakeAnIntervalReachBelowNothing() throws {
    func low(_ mayBeNegative: Bool) throws -> Double {
        try #require(answer(payers, mayBeNegative: mayBeNegative) { $0.add(1, group: 0, isOld: false) }.figure).low
    }
    #expect(try low(false) == 0)
    #expect(try low(true) < 0)
}

@Test func lessThanTenInstallsBehindAValueThatMattersGiveNoNumber() {
    let nine = [Double](repeating: 1, count: 9)
    let few = answer(nine) { $0.add(5, group: 0, isOld: true) }
    #expect(few.whyNot == .tooFewInstalls && few.needed == 1)
    #expect(answer([]) { $0.add(5, group: 0, isOld: true) }.needed == 10)
    #expect(answer(nine + [1]) { $0.add(5, group: 0, isOld: true) }.figure?.estimate == 5)
}

@Test func aTwentiethOfOtherModelsIsTolerated() {
    for (others, why) in [(5.0, nil), (6, NoEstimate.noInstallsOfModel)] as [(Double, NoEstimate?)] {
        let found = answer(payers) {
            $0.add(100 - others, group: 0, isOld: true)
            $0.add(ofOtherModel: others)
        }
        #expect(found.whyNot == why)
        // They are taken for installs like the others.
        if let figure = found.figure { #expect((figure.estimate - 200).magnitude < 1e-9) }
    }
}

@Test func aLineWithoutInstallsHasNoEstimate() {
    #expect(answer(payers) { _ in }.whyNot == .noInstalls)
}

@Test func doubtThatCampaignsShareAddsUpBeforeItIsSquared() throws {
    func width(_ mixes: [Int]) throws -> Double {
        let found = answer(payers, mayBeNegative: true) { sum in
            sum.add(40, group: 0, isOld: true)
            for mix in mixes { sum.add(shared: 3, of: mix) }
        }
        let figure = try #require(found.figure)
        return figure.high - figure.low
    }
    let (one, apart, same) = (try width([0]), try width([0, 1]), try width([0, 0]))
    #expect((apart / one - 2.0.squareRoot()).magnitude < 1e-9 && (same / one - 2).magnitude < 1e-9)
}

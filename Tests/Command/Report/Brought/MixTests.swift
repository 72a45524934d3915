import Testing

@testable import SKANCommandReport

/// Two values in class 0, one in class 1, none in class 2, around a base of as many installs.
private func posterior(
    base: [Double] = [3, 1, 4], fine: [Double] = [0, 0, 0], coarse: [Double] = [0, 0, 0]
) -> MixPosterior {
    MixPosterior(base: base, fine: fine[...], coarse: coarse[...], classOf: [0, 0, 1], networkWeight: 100, network: 0)
}

@Test func aCampaignWithoutValuesHasItsNetworksMix() {
    let mix = posterior()
    #expect([0, 1, 2].map { mix.share($0) } == [0.75, 0.25, 1])
    #expect([0, 1, 2].map { mix.classShare($0) } == [0.5, 0.5, 0])
}

@Test func fineValuesDrawTheMixToTheCampaignsOwn() {
    let mix = posterior(fine: [0, 4, 0])
    #expect([0, 1, 2].map { mix.share($0) } == [3.0 / 8, 5.0 / 8, 1])
    #expect(mix.classShare(0) == 8.0 / 12)
}

@Test func coarseValuesTellOfClassesAlone() {
    let mix = posterior(coarse: [8, 0, 0])
    #expect(mix.share(0) == 0.75 && mix.share(1) == 0.25)
    #expect(mix.classShare(0) == 12.0 / 16)
}

@Test func aClassWithoutInstallsIsUnknown() {
    let mix = posterior(coarse: [0, 0, 5])
    #expect(mix.isUnknown(2) && !mix.isUnknown(0))
    #expect(mix.classShare(2) == 5.0 / 13)
}

@Test func installsOfKnownValueAddNoDoubt() {
    let doubt = posterior().doubt([0, 0, 0], hidden: 0, [1, 5, 9])
    #expect(doubt.own.variance == 0 && doubt.own.third == 0)
    #expect(doubt.shared.indices.allSatisfy { doubt.shared[$0] == 0 })
}

@Test func doubtIsThatOfPolyasUrn() {
    // Ten installs of class 0, whose means 1 and 5 have shares 3/4 and 1/4: mean 2, variance 3, third moment 6.
    let doubt = posterior().doubt([10, 0, 0], hidden: 0, [1, 5, 9])
    #expect((doubt.own.variance - 10 * 3 * 14 / 5.0).magnitude < 1e-9)
    #expect((doubt.own.third - 10 * 6 * 14 / 5.0 * 24 / 6).magnitude < 1e-9)
    #expect((doubt.shared[0] - 10 * (3 / 51.0).squareRoot()).magnitude < 1e-9)
}

@Test func valuesThatBringTheSameAddNoDoubt() {
    let doubt = posterior().doubt([4, 4, 0], hidden: 8, [2, 2, 2])
    #expect(doubt.own.variance == 0 && doubt.shared.indices.allSatisfy { doubt.shared[$0] == 0 })
}

@Test func moreCountsOfACampaignTellMoreOfItsHiddenOnes() {
    func variance(_ counts: Double) -> Double {
        posterior(fine: [3, 1, 4].map { $0 * counts }).doubt([5, 5, 0], hidden: 10, [1, 5, 9]).own.variance
    }
    #expect(variance(0) > variance(10) && variance(10) > variance(1_000))
}

@Test func alikeCampaignsAreConcentrated() {
    func concentration(_ mixes: [[Double]]) -> Double {
        var fit = ConcentrationFit()
        for mix in mixes { fit.add(mix[...], around: [0.5, 0.5], [0, 1]) }
        return fit.concentration
    }
    let alike = concentration([[500, 500], [490, 510], [505, 495], [502, 498], [495, 505], [507, 493]])
    let unlike = concentration([[900, 100], [200, 800], [700, 300], [50, 950], [400, 600], [650, 350]])
    #expect(alike > 200 && unlike < 20 && unlike >= 3)
    // Nothing was told: the prior alone.
    #expect(concentration([]) == concentration([[0, 0]]))
}

@Test func valuesArePackedWithoutLoss() {
    let told: [ToldValue] = [.fine(0), .fine(63), .coarse(0), .coarse(2), .hidden]
    for value in told {
        let key = PostbackValueKey(line: 70_000, model: 3, day: 19_700, value: value)
        #expect(key.line == 70_000 && key.model == 3 && key.day == 19_700)
        switch (key.value, value) {
        case (.fine(let one), .fine(let other)), (.coarse(let one), .coarse(let other)): #expect(one == other)
        case (.hidden, .hidden): break
        default: Issue.record("\(value) became \(key.value)")
        }
    }
    var key = PostbackValueKey(line: 1, model: PostbackValueKey.undecidedModel, day: 2, value: .hidden)
    key.model = 1
    #expect(key.model == 1 && key.line == 1 && key.day == 2)
}

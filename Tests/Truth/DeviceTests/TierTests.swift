import SKANSimulatedDevice
import Testing

/// Apple's table of tiers, row by row.
struct TierTests {
    private func postbacks(_ disclosure: Disclosure) -> [Postback] {
        var install = SimulatedInstall.updated
        install.disclosure = disclosure
        return install.postbacks()
    }

    @Test(arguments: [2, 3, 4])
    func tier3HasAFineValueTheSourceAndTheCountry(digits: Int) throws {
        let postback = try #require(postbacks(Disclosure(.three, digits: digits, country: .three)).first)
        #expect(postback.identifier == [2: 39, 3: 239, 4: 5239][digits])
        #expect((postback.fine, postback.coarse) == (0, nil))
        #expect(postback.source == .app(0))
        #expect(postback.country == 0)
    }

    @Test func tier3HasNoCountryIfItsCrowdIsSmaller() throws {
        let postback = try #require(postbacks(Disclosure(.three, digits: 4, country: .two)).first)
        #expect(postback.source == .app(0))
        #expect(postback.country == nil)
    }

    @Test(arguments: [2, 3, 4])
    func tier2HasAFineValueAndNoSource(digits: Int) throws {
        let postback = try #require(postbacks(Disclosure(.two, digits: digits, country: .three)).first)
        #expect(postback.identifier == [2: 39, 3: 239, 4: 5239][digits])
        #expect((postback.fine, postback.coarse) == (0, nil))
        #expect((postback.source, postback.country) == (nil, nil))
    }

    @Test func tier1HasTwoDigitsAndACoarseValue() throws {
        let postback = try #require(postbacks(Disclosure(.one, digits: 2, country: .three)).first)
        #expect(postback.identifier == 39)
        #expect((postback.fine, postback.coarse) == (nil, 0))
        #expect((postback.source, postback.country) == (nil, nil))
    }

    @Test func tier0HasOnePostbackWithTwoDigitsAndNoValue() throws {
        let postbacks = postbacks(Disclosure(.zero, digits: 2, country: .three))
        #expect(postbacks.map(\.window) == [0])
        let postback = try #require(postbacks.first)
        #expect(postback.identifier == 39)
        #expect((postback.fine, postback.coarse) == (nil, nil))
        #expect((postback.source, postback.country) == (nil, nil))
    }

    @Test(arguments: [
        Disclosure(.one, digits: 2, country: .zero), Disclosure(.two, digits: 3, country: .zero),
        Disclosure(.three, digits: 4, country: .three),
    ])
    func laterPostbacksHaveTwoDigitsAndACoarseValueInEveryTier(disclosure: Disclosure) {
        let later = postbacks(disclosure).dropFirst()
        #expect(later.map(\.window) == [1, 2])
        #expect(later.map(\.coarse) == [1, 2])
        for postback in later {
            #expect(postback.identifier == 39)
            #expect(postback.fine == nil)
            #expect((postback.source, postback.country) == (nil, nil))
        }
    }

    /// The tiers of the crowds of two, three and four digits.
    @Test(
        arguments: [
            ([.three, .three, .three], .three, 4), ([.three, .three, .two], .three, 3),
            ([.three, .two, .one], .three, 2),
            ([.two, .two, .zero], .two, 3), ([.two, .one, .one], .two, 2), ([.one, .one, .one], .one, 2),
            ([.zero, .zero, .zero], .zero, 2), ([.two, .three, .one], .three, 3),
        ] as [([Tier], Tier, Int)])
    func theHighestTierWinsAndAmongEqualsTheOneWithTheMostDigits(_ tiers: [Tier], _ tier: Tier, _ digits: Int) {
        let disclosure = Disclosure(tiers, country: .zero)
        #expect(disclosure.tier == tier)
        #expect(disclosure.digits == digits)
    }

    @Test(arguments: Tier.allCases)
    func aLargerCrowdHasNoLowerTier(tier: Tier) {
        let crowds = (0..<200).filter { Tier(crowd: $0, scale: 3) == tier }
        #expect(crowds == Array((crowds.first ?? 0)..<(crowds.last ?? 0) + 1))
    }

    @Test(arguments: Tier.allCases)
    func aPostbackOfAnyTierLacksTheValueThatTheAppDoesNotProvide(tier: Tier) throws {
        var install = SimulatedInstall()
        install.updates = [(0, nil, nil, false)]
        install.disclosure = Disclosure(tier, digits: 2, country: tier)
        let postback = try #require(install.postbacks().first)
        #expect((postback.fine, postback.coarse) == (nil, nil))
    }
}

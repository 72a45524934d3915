/// Apple's postback data tier: the larger the crowd that shares a postback's features, the more the postback tells.
package enum Tier: Int, Comparable, CaseIterable {
    case zero, one, two, three

    package static func < (left: Tier, right: Tier) -> Bool { left.rawValue < right.rawValue }

    /// `scale`: how large a large crowd is; Apple does not tell.
    package init(crowd: Int, scale: Int) {
        let crowd = crowd / scale
        self = crowd < 4 ? .zero : crowd < 10 ? .one : crowd < 30 ? .two : .three
    }
}

/// What a winning postback of window 0 may tell, by Apple's table of tiers.
package struct Disclosure: Equatable {
    package let tier: Tier
    /// The number of digits of the source identifier.
    package let digits: Int
    private let countryTier: Tier

    /// `country`: the tier of the country's crowd.
    package init(_ tier: Tier, digits: Int, country: Tier) {
        (self.tier, self.digits, countryTier) = (tier, digits, country)
    }

    /// `tiers`: those of the crowds of two, three and four digits. The highest tier wins, and among equals the one with the
    /// most digits; tiers 0 and 1 always give two digits.
    package init(_ tiers: [Tier], country: Tier) {
        let highest = tiers.max() ?? .zero
        let place = tiers.lastIndex(of: highest) ?? 0
        self.init(highest, digits: highest < .two ? 2 : 2 + place, country: country)
    }

    /// Tiers, rows "3" and "2": a fine value.
    var hasFine: Bool { tier >= .two }
    /// Tiers, row "1": a coarse value.
    var hasCoarse: Bool { tier == .one }
    /// Tiers, row "3": the source app or domain.
    var hasSource: Bool { tier == .three }
    /// Tiers, row "3": the country, if its crowd is of tier 3, too.
    var hasCountry: Bool { tier == .three && countryTier == .three }
    /// AdAttributionKit's marketplace-identifier is missing in tier 0.
    var hasMarketplace: Bool { tier > .zero }
    /// Tiers, row "0": no postback of windows 1 and 2 is sent.
    var hasLater: Bool { tier > .zero }

    /// The last digits of the four, as a postback shows them.
    package static func last(_ digits: Int, of identifier: Int) -> Int {
        identifier % (digits == 2 ? 100 : digits == 3 ? 1000 : 10_000)
    }
}

internal import SKANCore
internal import SKANSimulatedDevice

/// The families of worlds, by name.
enum Family: CaseIterable {
    case none
    case lognormal, pareto, whales, countries, natural, weekends, late, refunds, currencies, models, young, tiny,
        coarse, old, redownloads, quiet, aak, payers
    case mixed, skan3, borders, hiding, spending, rate, cohorts, payer, silence, absence, leaving

    init?(named name: [UInt8]) {
        guard let family = Family.allCases.first(where: { name.elementsEqual($0.name.bytes) }) else { return nil }
        self = family
    }

    var name: StaticString {
        switch self {
        case .none: "none"
        case .lognormal: "lognormal"
        case .pareto: "pareto"
        case .whales: "whales"
        case .countries: "countries"
        case .natural: "natural"
        case .weekends: "weekends"
        case .late: "late"
        case .refunds: "refunds"
        case .currencies: "currencies"
        case .models: "models"
        case .young: "young"
        case .tiny: "tiny"
        case .coarse: "coarse"
        case .old: "old"
        case .redownloads: "redownloads"
        case .quiet: "quiet"
        case .aak: "aak"
        case .payers: "payers"
        case .mixed: "mixed"
        case .skan3: "skan3"
        case .borders: "borders"
        case .hiding: "hiding"
        case .spending: "spending"
        case .rate: "rate"
        case .cohorts: "cohorts"
        case .payer: "payer"
        case .silence: "silence"
        case .absence: "absence"
        case .leaving: "leaving"
        }
    }

    /// The seed of a world of this family: other families draw other worlds with the same number.
    func seed(_ number: UInt64) -> UInt64 {
        name.bytes.reduce(number) { $0 &* 0x100_0000_01B3 ^ UInt64($1) }
    }

    var traits: Traits {
        var traits = isOfPlainWorld ? Traits() : Traits.game
        switch self {
        case .none, .lognormal: break
        case .pareto: traits.life.purse = .pareto(1.2, 1.8)
        case .whales: traits.life.purse = .whales
        case .countries, .borders:
            traits.countries = [0.5, 0.2, 0.12, 0.08, 0.06, 0.04]
            if self == .borders { traits.quality = 0.25 }
        case .natural:
            traits.leaning = 0.3
            traits.countries = [0.6, 0.25, 0.15]
            traits.quality = 0.08
        case .weekends: traits.life.weekend = 2.5
        case .late: traits.life.firstPurchase = 10
        case .refunds: traits.life.refunds = 0.1
        case .currencies: traits.life.coins = .many
        case .models: traits.secondModel = 1
        case .young: traits.startsLate = true
        case .tiny: traits.installs = (400, 3000)
        case .coarse: traits.tier = .one
        case .old: traits.days = (190, 270)
        case .redownloads: traits.redownloads = 0.25
        case .quiet: traits.isQuiet = true
        case .aak: traits.versions = .kit
        case .payers: traits.payerRates = (0.5, 1.9)
        case .mixed: traits.versions = .mixed
        case .skan3: traits.versions = .firstOfSKAN3
        case .hiding: traits.breach = .hiding
        case .spending: traits.breach = .spending
        case .rate: traits.breach = .rate
        case .cohorts: traits.breach = .cohorts
        case .payer: traits.breach = .payer
        case .silence: traits.breach = .silence
        case .absence: traits.breach = .absence
        case .leaving: traits.breach = .leaving
        }
        return traits
    }

    private var isOfPlainWorld: Bool {
        switch self {
        case .none, .hiding, .spending, .rate: true
        default: false
        }
    }
}

extension Traits {
    /// A free-to-play game as the literature describes them; see README.md.
    fileprivate static var game: Traits {
        var traits = Traits()
        traits.installs = (5000, 40_000)
        traits.brought = (0.3, 0.8)
        traits.life.stay = .powerLaw
        traits.life.payers = 0.035
        traits.life.purse = .logNormal(median: 12, deviation: 1.5)
        return traits
    }
}

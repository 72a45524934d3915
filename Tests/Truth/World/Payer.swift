internal import CSKANSystem
internal import SKANCore
internal import SKANSimulatedDevice

/// A player who pays.
struct Payer {
    let coin: Coin
    /// The day of the first purchase at the earliest.
    let from: Double
    /// Dollars.
    private let usual: Double
    private let urge: Double
    private let weekend: Double
    /// What is left to be spent, in dollars; nil: it has no end.
    private var left: Double?

    init(_ chance: inout Chance, _ traits: LifeTraits, _ keenness: Double) {
        coin = Coin.drawn(&chance, traits.coins)
        from = traits.firstPurchase > 0 ? chance.exponential(traits.firstPurchase) : 0
        weekend = traits.weekend
        if let budget = Payer.budget(&chance, traits.purse) {
            // Who is keen on a game spends more in it, whatever the first days showed.
            let budget = budget * exp(0.4 * keenness)
            left = budget
            (usual, urge) = (min(budget * 0.3, 60), min(0.15 + budget / 2000, 0.9))
        } else {
            (usual, urge) = (chance.logNormal(4, 0.9), chance.logNormal(0.15, 0.4))
        }
    }

    private static func budget(_ chance: inout Chance, _ purse: Purse) -> Double? {
        switch purse {
        case .endless: nil
        case .logNormal(let median, let deviation): chance.logNormal(median, deviation)
        case .pareto(let exponent, _): min(3 * pow(1 - chance.part(), -1 / exponent), 20_000)
        case .whales: chance.isDrawn(0.04) ? chance.logNormal(800, 0.7) : chance.logNormal(8, 0.7)
        }
    }

    /// What is bought in a session, if anything is, in millionths of the coin.
    mutating func price(_ chance: inout Chance, _ day: Double, isWeekend: Bool) -> Int64? {
        guard left.map({ $0 > 0 }) ?? true, day >= from, chance.isDrawn(urge * (isWeekend ? weekend : 1)) else {
            return nil
        }
        let price = min(max(chance.logNormal(usual, 0.5), 0.49), 99.99)
        guard let left else { return coin.price(price) }
        // Those who can spend thousands buy several packs at once.
        let packs = 1 + (left / 1500).rounded(.down)
        self.left = left - packs * price
        return coin.price(packs * price)
    }
}

/// A currency, and what one of it is worth in dollars: what both models say, as long as they are right.
struct Coin {
    let letters: StaticString
    /// The value of one coin in millionths of a dollar; 0: no model has a rate.
    let rate: Int64

    static var dollar: Coin { Coin(letters: "USD", rate: 1_000_000) }
    private static var euro: Coin { Coin(letters: "EUR", rate: 1_090_000) }
    private static var yen: Coin { Coin(letters: "JPY", rate: 6600) }
    private static var franc: Coin { Coin(letters: "CHF", rate: 0) }

    var isEuro: Bool { rate == 1_090_000 }

    fileprivate static func drawn(_ chance: inout Chance, _ coins: Coins) -> Coin {
        let part = chance.part()
        switch coins {
        case .few: return part < 0.6 ? .dollar : part < 0.9 ? .euro : part < 0.995 ? .yen : .franc
        case .many:
            switch part {
            case ..<0.2: return .dollar
            case ..<0.4: return .euro
            case ..<0.55: return .yen
            case ..<0.7: return Coin(letters: "GBP", rate: 1_270_000)
            case ..<0.8: return Coin(letters: "BRL", rate: 180_000)
            case ..<0.9: return Coin(letters: "KRW", rate: 730)
            default: return Coin(letters: "TRY", rate: 29_000)
            }
        }
    }

    /// A price in dollars, as it is asked for: hundredths, or whole ones of a coin that is worth less than a cent.
    fileprivate func price(_ dollars: Double) -> Int64 {
        let own = rate == 0 ? dollars : dollars * 1_000_000 / Double(rate)
        return rate > 0 && rate < 10_000 ? Int64(own) * 1_000_000 : Int64(own * 100) * 10_000
    }
}

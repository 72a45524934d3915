internal import SKANCore

/// What a player does, and when, in seconds since the install.
struct Deed {
    let time: Int64
    /// What the game calls it when it updates values.
    let event: StaticString
    /// An amount in millionths of a currency.
    var payment: (amount: Int64, coin: Coin, kind: RevenueKind)?
}

/// A currency, and what one of it is worth in dollars: what both models say, as long as they are right.
struct Coin {
    let letters: StaticString
    /// In ten thousandths; 0: no model has a rate.
    let rate: Int64

    static var dollar: Coin { Coin(letters: "USD", rate: 10_000) }

    var isEuro: Bool { rate == 10_900 }

    fileprivate static func drawn(_ chance: inout Chance) -> Coin {
        switch chance.part() {
        case ..<0.6: .dollar
        case ..<0.9: Coin(letters: "EUR", rate: 10_900)
        case ..<0.995: Coin(letters: "JPY", rate: 66)
        default: Coin(letters: "CHF", rate: 0)
        }
    }

    /// A price in dollars, as it is asked for: cents, or whole yen.
    fileprivate func price(_ dollars: Double) -> Int64 {
        rate == 66 ? Int64(dollars * 150) * 1_000_000 : Int64(dollars * 100) * 10_000
    }
}

/// A life of 100 days at most. Half of all players leave within hours; some pay, few of them much, and again and again.
func drawnLife(_ seed: UInt64) -> [Deed] {
    var chance = Chance(seed: seed)
    let interest = chance.logNormal(1, 0.4)
    let stay = min(chance.isDrawn(0.5) ? chance.exponential(0.1) : chance.exponential(9 * interest), 100)
    let isPayer = chance.isDrawn(0.14 * interest)
    let (purse, urge) = (chance.logNormal(4, 0.9), chance.logNormal(0.15, 0.4))
    let coin = Coin.drawn(&chance)
    let level = 2 + chance.among(12)
    var (deeds, day, sessions): ([Deed], Double, Int) = ([], 0, 0)
    repeat {
        let time = Int64(day * 86_400)
        sessions += 1
        deeds.append(Deed(time: time, event: "__SESSION__"))
        if sessions == level { deeds.append(Deed(time: time + 60, event: "level_10")) }
        if chance.isDrawn(0.4) {
            let amount = Int64(chance.logNormal(0.02, 1) * 10_000) * 100
            deeds.append(Deed(time: time + 90, event: "ad_watched", payment: (amount, .dollar, .ad)))
        }
        if isPayer, chance.isDrawn(urge) {
            let price = coin.price(min(max(chance.logNormal(purse, 0.5), 0.49), 99.99))
            deeds.append(Deed(time: time + 120, event: "purchase", payment: (price, coin, .iap)))
        }
        day += 0.02 + chance.exponential(0.6 / interest)
    } while day < stay
    return deeds
}

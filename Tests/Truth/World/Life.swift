internal import CSKANSystem
internal import SKANCore
internal import SKANSimulatedDevice

/// What a player does, and when, in seconds since the install.
struct Deed {
    let time: Int64
    /// What the game calls it when it updates values.
    let event: StaticString
    /// An amount in millionths of a currency.
    var payment: (amount: Int64, coin: Coin, kind: RevenueKind)?
}

/// The last day that a life has anything of.
private var lastDay: Double { 185 }

/// Draws a life. Most players leave within hours; some pay, few of them much, and again and again.
struct Life {
    private let traits: LifeTraits
    /// The time of the install, Unix seconds.
    private let start: Int64
    private var chance: Chance
    private(set) var deeds: [Deed] = []

    /// How keen on the game a player is: of players in all, normal with a mean of 0 and a deviation of 1.
    static func keenness(_ seed: UInt64) -> Double {
        var chance = Chance(seed: seed)
        return chance.normal(1)
    }

    init(_ seed: UInt64, _ traits: LifeTraits, from start: Int64) {
        (self.traits, self.start) = (traits, start)
        chance = Chance(seed: seed)
        let keenness = chance.normal(1)
        let interest = exp(0.4 * keenness)
        let isPayer = chance.isDrawn(traits.payers * interest)
        var payer = isPayer ? Payer(&chance, traits, keenness) : nil
        let stay = min(self.stay(interest, payer), lastDay)
        let level = 2 + chance.among(12)
        var (day, sessions) = (0.0, 0)
        repeat {
            let time = Int64(day * 86_400)
            sessions += 1
            deeds.append(Deed(time: time, event: "__SESSION__"))
            if sessions == level { deeds.append(Deed(time: time + 60, event: "level_10")) }
            if chance.isDrawn(0.4) {
                let amount = Int64(chance.logNormal(0.02, 1) * 10_000) * 100
                deeds.append(Deed(time: time + 90, event: "ad_watched", payment: (amount, .dollar, .ad)))
            }
            if let price = payer?.price(&chance, day, isWeekend: isWeekend(time)) {
                buy(price, payer?.coin ?? .dollar, time + 120)
            }
            day += 0.02 + chance.exponential(0.6 / interest)
        } while day < stay
        if traits.refunds > 0 { deeds.sort { $0.time < $1.time } }
    }

    private mutating func stay(_ interest: Double, _ payer: Payer?) -> Double {
        switch traits.stay {
        case .hours:
            return min(chance.isDrawn(0.5) ? chance.exponential(0.1) : chance.exponential(9 * interest), 100)
        case .powerLaw:
            let (scale, power) = payer == nil ? (0.3, -1 / 0.55) : (10.0, -1 / 0.9)
            let days = scale * interest * (pow(1 - chance.part(), power) - 1)
            return days + (payer?.from ?? 0)
        }
    }

    private mutating func buy(_ price: Int64, _ coin: Coin, _ time: Int64) {
        deeds.append(Deed(time: time, event: "purchase", payment: (price, coin, .iap)))
        guard traits.refunds > 0, chance.isDrawn(traits.refunds) else { return }
        let later = time + Int64(chance.exponential(6) * 86_400)
        deeds.append(Deed(time: later, event: "refund", payment: (-price, coin, .iap)))
    }

    private func isWeekend(_ time: Int64) -> Bool { isOfWeekend(start + time) }
}

/// Whether a time in Unix seconds is a Saturday or a Sunday; 1970 began with a Thursday.
func isOfWeekend(_ time: Int64) -> Bool { 2...3 ~= time / 86_400 % 7 }

internal import SKANCore
internal import SKANSimulatedDevice

/// How a family of worlds differs from the plain one. Each default is the plain world's.
struct Traits {
    /// The number of installs is drawn between these, evenly on a logarithmic scale.
    var installs: (Double, Double) = (8000, 80_000)
    /// How many days the app exists when the report is made is drawn between these.
    var days: (Double, Double) = (65, 100)
    /// How likely it is that new installs get another model at some time.
    var secondModel = 0.3
    /// The share of installs that campaigns may bring is drawn between these.
    var brought: (Double, Double) = (0.7, 0.7)
    /// Most campaigns begin in the last five weeks.
    var startsLate = false
    /// How much campaigns, and networks, differ in players of the same value: the standard deviation of the mean
    /// interest of their players, in standard deviations of interest.
    var leaning = 0.0
    /// The shares of countries; crowds are counted within a country.
    var countries: [Double] = [1]
    /// How much more of the high values each country has than the next. Where it is not 0, small countries, whose
    /// crowds hide values, have fewer of them: values are then hidden for what they are.
    var quality = 0.0
    /// The most that postbacks tell.
    var tier = Tier.three
    var versions = Versions.skan4
    /// The share of installs whose person had the app before.
    var redownloads = 0.05
    /// The bounds of how many times as likely a campaign's players are to pay after window 0 as others of the same value.
    /// It is drawn for each campaign, evenly on a logarithmic scale.
    var payerRates: (Double, Double)?
    /// There are windows in which the app never sets a value; which ones is drawn.
    var isQuiet = false
    /// The windows in which the app never sets a value.
    var quietWindows: [Window] = []
    /// What Apple leaves open.
    var readings = Readings()
    var life = LifeTraits()
    var breach: Breach?
}

/// The versions that networks sign ads with.
enum Versions {
    /// All networks sign with version 4.
    case skan4
    /// The first network signs with version 3.
    case firstOfSKAN3
    /// All ads are those of AdAttributionKit.
    case kit
    /// Each network has ads of version 3, of version 4 and of AdAttributionKit.
    case mixed

    /// Draws the version of an ad.
    func drawn(_ chance: inout Chance, network: Int) -> Ad.Version {
        switch self {
        case .skan4: return .skan4
        case .firstOfSKAN3: return network == 0 ? .skan3 : .skan4
        case .kit: return .adAttributionKit
        case .mixed:
            let part = chance.part()
            return part < 0.1 ? .skan3 : part < 0.6 ? .skan4 : .adAttributionKit
        }
    }
}

/// How players live.
struct LifeTraits {
    var stay = Stay.hours
    /// The share of players of mean interest who pay.
    var payers = 0.14
    var purse = Purse.endless
    /// Days, in the mean, until a payer may pay for the first time.
    var firstPurchase = 0.0
    /// The share of purchases that are refunded.
    var refunds = 0.0
    /// How many times as many installs and purchases there are on Saturdays and Sundays.
    var weekend = 1.0
    var coins = Coins.few
}

/// How long players stay.
enum Stay {
    /// Half of them some hours, the others nine days in the mean.
    case hours
    /// A power law: 45 % are there after a day, 17 % after a week, 8 % after a month; payers stay longer.
    case powerLaw
}

/// What a payer can spend in all.
enum Purse {
    /// A purse without a limit: the payer spends as much as comes together while the payer stays.
    case endless
    case logNormal(median: Double, deviation: Double)
    /// The exponent of each world is drawn between these; the least is 3.
    case pareto(Double, Double)
    /// One payer in 25 spends a hundred times as much as the others.
    case whales
}

enum Coins {
    case few, many
}

/// What an estimate takes for granted, and a family breaks on purpose.
enum Breach {
    /// Half of low values are hidden for their value.
    case hiding
    /// Players whom campaigns brought pay 30 % more than others of the same value.
    case spending
    /// The models' rate of the euro is 20 % too high.
    case rate
    /// Players who came in the second half pay 40 % as much after window 0 as earlier ones of the same value.
    case cohorts
    /// One payer brings half of all revenue.
    case payer
    /// Values of 30 % of installs are missing for another reason than their crowd: the app did not call.
    case silence
    /// The store has only three of ten installs.
    case absence
    /// Half of the players whom campaigns brought leave after window 0.
    case leaving
}

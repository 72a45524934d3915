internal import SKANCommandOutput
internal import SKANCore
internal import SKANSimulatedDevice

/// The marketer's file: what campaigns cost, and the names of their ad sets.
///
/// In about half of the worlds each day of a campaign has its cost, the campaign's cost per install times the installs of
/// that day, redownloads included, with noise. In the others each campaign has one cost that depends on nothing.
struct Costs {
    private(set) var text = ("network,identifier,campaign,ad_set,cost,currency,date\n" as Message).utf8
    private let campaigns: [Campaign]

    init(_ campaigns: Campaigns, _ players: [Player], _ sending: Sending, seed: UInt64) {
        self.campaigns = campaigns.campaigns
        var chance = Chance(seed: seed ^ 0xC057)
        if chance.isDrawn(0.5) { addDays(&chance, players, sending) } else { addWholes() }
        for campaign in self.campaigns {
            for adSet in 1...2 {
                add("\(adSet)\(campaign.digits)", of: campaign, adSet: "Set \(adSet)", cost: "", currency: "", date: "")
            }
        }
    }

    private mutating func addWholes() {
        for campaign in campaigns {
            let digits = "\(campaign.digits)" as Message
            add(digits, of: campaign, adSet: "", cost: "\(digits)00", currency: "USD", date: "")
        }
    }

    private mutating func addDays(_ chance: inout Chance, _ players: [Player], _ sending: Sending) {
        // In cents.
        let usual = chance.logUniform(20, 300)
        let prices = campaigns.map { _ in chance.logNormal(usual, 0.35) }
        // By campaign, in SKAN 3 and in other versions, which have identifiers of their own.
        var installs = [[Int64: Int]](repeating: [:], count: 2 * campaigns.count)
        for player in players {
            guard let place = player.campaign, let ad = sending.ad(of: player) else { continue }
            installs[2 * place + (ad.version == .skan3 ? 1 : 0)][player.installed / day, default: 0] += 1
        }
        for (place, days) in installs.enumerated() {
            let campaign = campaigns[place / 2]
            let identifier: Message = place % 2 == 0 ? "\(campaign.digits)" : "campaign-id \(campaign.digits)"
            for (date, count) in days.sorted(by: { $0.key < $1.key }) {
                let cents = max(1, Int(Double(count) * prices[place / 2] * chance.logNormal(1, 0.2)))
                let cost = "\(cents / 100).\(cents / 10 % 10)\(cents % 10)" as Message
                add(identifier, of: campaign, adSet: "", cost: cost, currency: "USD", date: utcDay(date * day))
            }
        }
    }

    private mutating func add(
        _ identifier: Message, of campaign: Campaign, adSet: Message, cost: Message, currency: Message, date: Message
    ) {
        let (network, name) = (networkName(campaign.network), "Campaign \(campaign.digits)" as Message)
        text += ("\(network),\(identifier),\(name),\(adSet),\(cost),\(currency),\(date)\n" as Message).utf8
    }
}

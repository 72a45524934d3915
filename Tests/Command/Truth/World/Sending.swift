internal import SKANCore

/// Sends what players' devices have to send by Apple's rules: `Receiving postbacks in multiple conversion windows`,
/// postback data tiers, hierarchical source identifiers.
struct Sending {
    private var crowds: [Int: Int] = [:]
    private let campaigns: Campaigns
    private let traits: Traits

    init(_ players: [Player], _ campaigns: Campaigns, _ traits: Traits) {
        (self.campaigns, self.traits) = (campaigns, traits)
        for player in players {
            guard let key = Sending.crowd(of: player) else { continue }
            crowds[key, default: 0] += 1
        }
    }

    /// Players of the same campaign, source app, country and week: an app of three shows most of the ads.
    private static func crowd(of player: Player) -> Int? {
        guard let campaign = player.campaign else { return nil }
        let drawn = player.seed % 10
        let app = drawn < 6 ? 0 : drawn < 9 ? 1 : 2
        return ((campaign * 3 + app) * 16 + player.country) << 32 | Int(player.installed / (7 * day))
    }

    /// All postbacks of a player who was brought, in the order of windows.
    func postbacks(of player: Player) -> [Sent] {
        guard let key = Sending.crowd(of: player), let place = player.campaign else { return [] }
        var chance = Chance(seed: player.seed ^ 0x5EED)
        let campaign = campaigns.campaigns[place]
        let tier = tier(&chance, player, crowds[key] ?? 0)
        // The third digit names one of two ad sets, the first one nothing.
        let whole = 1000 * (1 + chance.among(9)) + (chance.isDrawn(0.6) ? 100 : 200) + campaign.digits
        let identifier = tier.digits == 2 ? whole % 100 : tier.digits == 3 ? whole % 1000 : whole
        let isRedownload = chance.isDrawn(0.06)
        let isSilent = traits.breach == .silence && chance.isDrawn(0.3)
        var sent: [Sent] = []
        if traits.hasSKAN3, campaign.network == 0 {
            sent.append(skan3(&chance, player, campaign, tier, isRedownload))
        } else {
            for window in Window.all where window == .first || tier != .nothing {
                guard let end = player.device.end(of: window, installed: player.installed) else { continue }
                let delay = chance.between(86_400, window == .first ? 172_800 : 518_400)
                let isFine = window == .first && tier.rawValue >= Tier.fine.rawValue
                let isCoarse = tier == .coarse || window != .first
                // Postbacks of windows 1 and 2 have two digits in every tier (APPLE.md, "Tiers", last column).
                sent.append(
                    Sent(
                        network: campaign.network, identifier: window == .first ? identifier : campaign.digits,
                        window: window, isRedownload: isRedownload,
                        fine: isFine && !isSilent ? player.device.fine : nil,
                        coarse: isCoarse && !isSilent ? end.coarse : nil, time: end.time + Int64(delay)))
            }
        }
        if chance.isDrawn(0.1), let first = sent.first { sent.append(lost(first, place)) }
        return sent
    }

    private func tier(_ chance: inout Chance, _ player: Player, _ crowd: Int) -> Tier {
        if traits.breach == .hiding, player.device.fine < 5, chance.isDrawn(0.5) { return .nothing }
        return min(Tier(crowd: crowd, scale: campaigns.crowdScale), traits.tier)
    }

    /// The one postback of SKAN 3, which has a fine value or none.
    private func skan3(
        _ chance: inout Chance, _ player: Player, _ campaign: Campaign, _ tier: Tier, _ isRedownload: Bool
    ) -> Sent {
        let (fine, lastUpdate) = player.device.skan3
        return Sent(
            network: campaign.network, identifier: campaign.digits, window: .first, isRedownload: isRedownload,
            fine: tier == .nothing ? nil : fine, isSKAN3: true,
            time: lastUpdate + day + Int64(chance.between(0, 86_400)))
    }

    /// What the network gets whose ad was seen too, but did not win.
    private func lost(_ first: Sent, _ place: Int) -> Sent {
        var lost = first
        let other = campaigns.campaigns[(place + 1) % campaigns.campaigns.count]
        (lost.network, lost.identifier, lost.isWinning) = (other.network, other.digits, false)
        (lost.fine, lost.coarse, lost.time) = (nil, nil, lost.time + 3600)
        return lost
    }
}

internal import SKANCore
internal import SKANSimulatedDevice

/// What a postback has when it arrives.
struct Sent {
    let postback: Postback
    let transaction: Message
    /// Unix seconds.
    let arrival: Int64
}

/// Sends the postbacks of players whom campaigns brought.
struct Sending {
    private var crowds: [Int: Int] = [:]
    private let campaigns: Campaigns
    private let traits: Traits

    init(_ players: [Player], _ campaigns: Campaigns, _ traits: Traits) {
        (self.campaigns, self.traits) = (campaigns, traits)
        for player in players {
            guard let ad = ad(of: player) else { continue }
            for digits in 2...4 { crowds[crowd(player, ad, digits), default: 0] += 1 }
        }
    }

    /// The ad that brought a player. An app and another one show most of the ads, a website the others.
    func ad(of player: Player) -> Ad? {
        guard let place = player.campaign else { return nil }
        var chance = Chance(seed: player.seed ^ 0xAD)
        let drawn = chance.among(10)
        return ad(
            campaigns.campaigns[place], source: drawn < 6 ? .app(0) : drawn < 9 ? .app(1) : .domain(0), player, &chance)
    }

    private func ad(_ campaign: Campaign, source: Ad.Source, _ player: Player, _ chance: inout Chance) -> Ad {
        // The third digit names one of two ad sets, the first one nothing; most ads have the same first one.
        let first = chance.isDrawn(0.7) ? 5 : 1 + chance.among(9)
        let whole = 1000 * first + (chance.isDrawn(0.6) ? 100 : 200) + campaign.digits
        let version = traits.versions.drawn(&chance, network: campaign.network)
        return Ad(
            version, network: campaign.network, identifier: version == .skan3 ? campaign.digits : whole, source: source,
            country: player.country)
    }

    /// The crowd is that of installs of one week with the same source, country and last digits.
    private func crowd(_ player: Player, _ ad: Ad, _ digits: Int) -> Int {
        let source = ad.source == .app(0) ? 0 : ad.source == .app(1) ? 1 : 2
        let identifier = Disclosure.last(digits, of: ad.identifier)
        let week = Int(player.installed / (7 * day))
        return ((((week * 8 + ad.network) * 3 + source) * 16 + ad.country) * 3 + digits - 2) * 10_000 + identifier
    }

    /// What arrives of a player who was brought, in the order of windows.
    func sent(_ player: Player) -> [Sent] {
        guard let ad = ad(of: player) else { return [] }
        var chance = Chance(seed: player.seed ^ 0x5EED)
        let disclosure = disclosure(&chance, player, ad)
        let isRedownload = player.isRedownload(traits)
        let isSilent = traits.breach == .silence && chance.isDrawn(0.3)
        var postbacks = player.device.postbacks(of: ad, disclosure, isRedownload: isRedownload, &chance)
        if isSilent { postbacks = silent(postbacks) }
        for other in others(&chance, than: ad, player) {
            let digits = 2 + chance.among(3)
            let lost = player.device.lostPostback(of: other, digits: digits, isRedownload: isRedownload, &chance)
            if let lost { postbacks.append(lost) }
        }
        return postbacks.compactMap { (postback: Postback) -> Sent? in
            guard let arrival = Delivery.arrival(of: postback.time, failing: 0.01, &chance) else { return nil }
            let install = "\(player.number)" as Message
            let own = "\(install)-\(postback.network)-\(postback.window)" as Message
            let transaction = traits.readings.sharesTransaction ? install : own
            return Sent(postback: postback, transaction: transaction, arrival: arrival)
        }
    }

    /// An app that makes no update has one postback, which carries no value.
    private func silent(_ postbacks: [Postback]) -> [Postback] {
        postbacks.filter { $0.window == 0 }.map { postback in
            var silent = postback
            (silent.fine, silent.coarse) = (nil, nil)
            return silent
        }
    }

    private func disclosure(_ chance: inout Chance, _ player: Player, _ ad: Ad) -> Disclosure {
        if traits.breach == .hiding, player.device.fine < 5, chance.isDrawn(0.5) {
            return Disclosure(.zero, digits: 2, country: .zero)
        }
        let tiers = (2...4).map { digits in
            min(Tier(crowd: crowds[crowd(player, ad, digits)] ?? 0, scale: campaigns.crowdScale), traits.tier)
        }
        // Apple does not say which crowd is a country's. Here it is that of all four digits.
        return Disclosure(tiers, country: tiers[2])
    }

    /// The ads that were seen too but did not win: those of up to five other networks.
    private func others(_ chance: inout Chance, than ad: Ad, _ player: Player) -> [Ad] {
        guard chance.isDrawn(0.1) else { return [] }
        let networks = (0..<6).filter { $0 != ad.network }
        let first = chance.among(networks.count)
        let count = 1 + chance.among(networks.count)
        return (first..<first + count).map { place in
            let network = networks[place % networks.count]
            let own = campaigns.campaigns.filter { $0.network == network }
            let identifier = own.isEmpty ? 1110 + chance.among(80) : 1100 + own[chance.among(own.count)].digits
            let version = traits.versions.drawn(&chance, network: network)
            return Ad(
                version, network: network, identifier: version == .skan3 ? identifier % 100 : identifier,
                source: ad.source, country: ad.country)
        }
    }
}

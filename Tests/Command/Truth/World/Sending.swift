internal import SKANCore

/// What a postback says, and when it arrives.
struct Sent {
    var network: Int
    var identifier: Int
    var window: Window
    var isRedownload: Bool
    var fine: UInt8?
    var coarse: UInt8?
    var isWinning = true
    var time: Int64

    func body(_ number: Int, _ key: SigningKey) -> [UInt8] {
        let separator = Message(utf8: [0xE2, 0x81, 0xA3])
        let redownload: StaticString = isRedownload ? "true" : "false"
        let won: StaticString = isWinning ? "true" : "false"
        let network = networkName(self.network)
        let transaction: Message = "t-\(number)"
        var text = ByteBuffer(capacity: 200)
        let signed: [Message] = [
            "4.0", network, "\(identifier)", "525463029", transaction, "\(redownload)", "1", "\(won)",
            "\(window.rawValue)",
        ]
        for (place, part) in signed.enumerated() {
            if place > 0 { text.append(message: separator) }
            text.append(message: part)
        }
        return Message(
            """
            {"version":"4.0","ad-network-id":"\(network)","source-identifier":"\(identifier)","app-id":525463029,\
            "transaction-id":"\(transaction)","redownload":\(redownload),"fidelity-type":1,"did-win":\(won),\
            "postback-sequence-index":\(window.rawValue)\(values),\
            "attribution-signature":"\(Message(utf8: key.signature(text.array)))"}
            """
        ).utf8
    }

    /// Its network, identifier and value.
    var words: Message {
        let value: Message = fine.map { "fine\t\($0)" } ?? coarse.map { "coarse\t\($0)" } ?? "hidden\t"
        return "\(networkName(network))\t\(identifier)\t\(value)"
    }

    private var values: Message {
        if let fine { return ",\"conversion-value\":\(fine)" }
        guard let coarse else { return "" }
        let word: StaticString = coarse == 0 ? "low" : coarse == 1 ? "medium" : "high"
        return ",\"coarse-conversion-value\":\"\(word)\""
    }
}

/// Sends what players' devices have to send by Apple's rules: `Receiving postbacks in multiple conversion windows`,
/// postback data tiers, hierarchical source identifiers.
struct Sending {
    private var crowds: [Int: Int] = [:]
    private let campaigns: Campaigns
    /// Of low values more are hidden than their crowd asks for.
    private let hidesLowValues: Bool

    init(_ players: [Player], _ campaigns: Campaigns, hidesLowValues: Bool) {
        self.campaigns = campaigns
        self.hidesLowValues = hidesLowValues
        for player in players {
            guard let key = Sending.crowd(of: player) else { continue }
            crowds[key, default: 0] += 1
        }
    }

    /// Who has the same campaign, source app and week: an app of three shows most of the ads.
    private static func crowd(of player: Player) -> Int? {
        guard let campaign = player.campaign else { return nil }
        let drawn = player.seed % 10
        let app = drawn < 6 ? 0 : drawn < 9 ? 1 : 2
        return (campaign * 3 + app) << 32 | Int(player.installed / (7 * day))
    }

    /// All postbacks of a player who was brought, in the order of windows.
    func postbacks(of player: Player) -> [Sent] {
        guard let key = Sending.crowd(of: player), let place = player.campaign else { return [] }
        var chance = Chance(seed: player.seed ^ 0x5EED)
        let campaign = campaigns.campaigns[place]
        var tier = Tier(crowd: crowds[key] ?? 0, scale: campaigns.crowdScale)
        if hidesLowValues, player.device.fine < 5, chance.isDrawn(0.5) { tier = .nothing }
        // The third digit names one of two ad sets, the first one nothing.
        let whole = 1000 * (1 + chance.among(9)) + (chance.isDrawn(0.6) ? 100 : 200) + campaign.digits
        let identifier = tier.digits == 2 ? whole % 100 : tier.digits == 3 ? whole % 1000 : whole
        let isRedownload = chance.isDrawn(0.06)
        var sent: [Sent] = []
        for window in Window.all where window == .first || tier != .nothing {
            guard let end = player.device.end(of: window, installed: player.installed) else { continue }
            let delay = chance.between(86_400, window == .first ? 172_800 : 518_400)
            let isFine = window == .first && tier.rawValue >= Tier.fine.rawValue
            sent.append(
                Sent(
                    network: campaign.network, identifier: identifier, window: window, isRedownload: isRedownload,
                    fine: isFine ? player.device.fine : nil,
                    coarse: tier == .coarse || window != .first ? end.coarse : nil, time: end.time + Int64(delay)))
        }
        if chance.isDrawn(0.1), var lost = sent.first {
            let other = campaigns.campaigns[(place + 1) % campaigns.campaigns.count]
            (lost.network, lost.identifier, lost.isWinning) = (other.network, other.digits, false)
            (lost.fine, lost.coarse, lost.time) = (nil, nil, lost.time + 3600)
            sent.append(lost)
        }
        return sent
    }
}

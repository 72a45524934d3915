internal import CSKANSystem
internal import SKANCore
internal import SKANPostbackReceiving
internal import SKANSimulatedDevice

/// A game of some weeks: its players, and what is known of them when the report is made.
struct World {
    let traits: Traits
    /// The time at which the report is made, Unix seconds.
    let now: Int64
    let seed: UInt64
    private let start: Int64 = 1_760_000_000
    private let length: Int64
    /// The time from which new installs get the second model, Unix seconds; after `now`: never.
    private let change: Int64
    private(set) var players: [Player] = []
    let book: PlayerBook
    let campaigns: Campaigns
    /// What one payer does beside the own life, where one brings half of all revenue.
    private var whale: (number: Int, deeds: [Deed])?

    init(
        _ family: Traits, seed: UInt64, _ models: [ConversionModel], installs: Int?, brought: Double?
    ) throws(Failure) {
        self.seed = seed
        var chance = Chance(seed: seed)
        traits = family.settled(&chance)
        book = PlayerBook(models: models, quietWindows: traits.quietWindows)
        length = Int64(chance.between(traits.days.0, traits.days.1) * 86_400)
        now = start + length
        let hasSecondModel = chance.isDrawn(traits.secondModel)
        change = hasSecondModel ? start + Int64(chance.between(0.3, 0.6) * Double(length)) : now + 1
        let count = installs ?? Int(chance.logUniform(traits.installs.0, traits.installs.1))
        let part = brought ?? chance.between(traits.brought.0, traits.brought.1)
        players.reserveCapacity(count)
        var values = [Int](repeating: 0, count: 64 * models.count)
        var payers = values
        for number in 0..<count {
            let installed = World.drawnInstall(&chance, start, length, traits.life.weekend)
            var player = Player(
                number, seed: chance.bits(), installed: installed, model: installed < change ? 0 : 1, traits.readings)
            try book.register(&player)
            let deeds = Life(player.seed, traits.life, from: installed).deeds
            try book.play(&player, deeds, 0..<min(2 * day, now - installed))
            player.paysLater = deeds.contains { $0.time >= 2 * day && $0.payment?.kind == .iap }
            player.country = World.drawnCountry(player, traits)
            values[player.value] += 1
            if player.paysLater { payers[player.value] += 1 }
            players.append(player)
        }
        campaigns = Campaigns(&chance, values, payers: payers, times: start..<now, part: part, traits)
        var revenue: Int64 = 0
        for place in players.indices {
            var player = players[place]
            player.campaign = campaigns.drawn(&chance, player)
            let deeds = life(player)
            if traits.breach == .payer { revenue += self.revenue(player, deeds, until: now - player.installed) }
            try liveOn(&player, deeds)
            players[place] = player
        }
        if traits.breach == .payer { try addWhale(revenue) }
    }

    private static func drawnInstall(_ chance: inout Chance, _ start: Int64, _ length: Int64, _ weekend: Double)
        -> Int64
    {
        var installed = start + Int64(chance.part() * Double(length))
        while weekend > 1, !isOfWeekend(installed), !chance.isDrawn(1 / weekend) {
            installed = start + Int64(chance.part() * Double(length))
        }
        return installed
    }

    /// Draws a country by the value alone, as players of one value are alike in all countries: each country has more of
    /// some values than others.
    private static func drawnCountry(_ player: Player, _ traits: Traits) -> Int {
        guard traits.countries.count > 1 else { return 0 }
        var chance = Chance(seed: player.seed ^ 0xC0)
        let score = Double(player.value % 64) / 8 - 0.5
        let weights = traits.countries.enumerated().map { $1 * exp(traits.quality * score * Double(1 - $0)) }
        var left = chance.part() * weights.reduce(0, +)
        for (country, weight) in weights.enumerated() {
            left -= weight
            if left < 0 { return country }
        }
        return 0
    }

    // MARK: Living

    /// Drawn again each time: there may be many players.
    func life(_ player: Player) -> [Deed] {
        let deeds = Life(player.seed, traits.life, from: player.installed).deeds
        if let whale, whale.number == player.number { return (deeds + whale.deeds).sorted { $0.time < $1.time } }
        guard traits.breach == .leaving, player.campaign != nil, player.seed % 4 < 2 else { return deeds }
        return deeds.filter { $0.time < 2 * day }
    }

    /// Lets the player live on after the first window.
    private func liveOn(_ player: inout Player, _ life: [Deed]) throws(Failure) {
        let age = now - player.installed
        guard age > 2 * day else { return }
        let factor = factor(player, 0)
        if factor > 1 {
            let end = player.installed + 2 * day - 1
            for deed in life where deed.time < 2 * day { try book.pay(player, deed, share: factor - 1, end) }
        }
        try book.play(&player, life, 2 * day..<age, factor: self.factor(player, 2 * day))
    }

    /// What the player pays at a time since the install, of what the drawn life says.
    private func factor(_ player: Player, _ time: Int64) -> Double {
        switch traits.breach {
        case .spending: player.campaign != nil ? 1.3 : 1
        case .cohorts: time >= 2 * day && player.installed > start + length / 2 ? 0.4 : 1
        default: 1
        }
    }

    /// A player of some weeks, whom no campaign brought, brings as much as all others together.
    private mutating func addWhale(_ revenue: Int64) throws(Failure) {
        guard let place = players.firstIndex(where: { $0.campaign == nil && now - $0.installed > 40 * day }) else {
            throw Failure(.invalidArgument, "nobody can be the one who pays")
        }
        let price = revenue / 20
        let deeds = (3..<23).map { Deed(time: $0 * day, event: "purchase", payment: (price, .dollar, .iap)) }
        whale = (players[place].number, deeds)
        for deed in deeds { try book.pay(players[place], deed, share: 1, players[place].installed + deed.time) }
    }

    // MARK: What is known

    /// What a player really brings up to a time since the install, in millionths of a dollar.
    func revenue(_ player: Player, _ life: [Deed], until end: Int64) -> Int64 {
        var sum: Int64 = 0
        for deed in life where deed.time < end {
            guard let (amount, coin, _) = deed.payment else { continue }
            let paid = Int64(Double(amount) * factor(player, deed.time)) / 1000 * coin.rate / 1000
            sum += traits.breach == .rate && coin.isEuro ? paid * 10 / 12 : paid
        }
        return sum
    }

    /// The models by time, as a receiver knows them.
    var modelTimes: PostbackModels<ConversionModel> {
        PostbackModels(zip([0, change], book.models).filter { $0.0 <= now }.map { (from: $0.0, model: $0.1) })
    }

    var hasTwoModels: Bool { change <= now }

    /// Whether the store has the player's record.
    func isStored(_ player: Player) -> Bool { traits.breach != .absence || player.seed % 10 < 3 }
}

extension Traits {
    /// The traits with what differs from world to world.
    fileprivate func settled(_ chance: inout Chance) -> Traits {
        var traits = self
        if case .pareto(let least, let most) = life.purse {
            let exponent = chance.between(least, most)
            traits.life.purse = .pareto(exponent, exponent)
        }
        traits.readings = Readings(&chance)
        if isQuiet { traits.quietWindows = [[.second], [.third], [.second, .third]][chance.among(3)] }
        return traits
    }
}

internal import SKANCore
internal import SKANPostbackReceiving

/// What an estimate takes for granted, and a world breaks on purpose.
enum Breach: Int32 {
    case none
    /// More of low values are hidden.
    case hiding
    /// Who was brought by a campaign pays 30 % more than others of the same value.
    case spending
    /// The models' rate of the euro is 20 % too high.
    case rate
}

/// A game of some weeks: its players, and what is known of them when the report is made.
struct World {
    let breach: Breach
    /// When the report is made, Unix seconds.
    let now: Int64
    private let start: Int64 = 1_760_000_000
    /// When new installs get the second model; after `now`: never.
    private let change: Int64
    private(set) var players: [Player] = []
    let book: PlayerBook
    let campaigns: Campaigns

    init(
        _ breach: Breach, seed: UInt64, _ models: [ConversionModel], installs: Int?, brought: Double
    ) throws(Failure) {
        var chance = Chance(seed: seed)
        (self.breach, book) = (breach, PlayerBook(models: models))
        let length = Int64(chance.between(65, 100) * 86_400)
        now = start + length
        change = chance.isDrawn(0.3) ? start + Int64(chance.between(0.3, 0.6) * Double(length)) : now + 1
        let count = installs ?? Int(chance.logUniform(8000, 80_000))
        players.reserveCapacity(count)
        var values = [Int](repeating: 0, count: 64 * models.count)
        for number in 0..<count {
            let installed = start + Int64(chance.part() * Double(length))
            var player = Player(number, seed: chance.bits(), installed: installed, model: installed < change ? 0 : 1)
            try book.register(&player)
            try book.play(&player, player.life(), 0..<min(2 * day, now - installed))
            values[player.value] += 1
            players.append(player)
        }
        campaigns = Campaigns(&chance, values, times: start..<now, part: brought)
        for place in players.indices {
            var player = players[place]
            player.campaign = campaigns.drawn(&chance, player)
            try liveOn(&player)
            players[place] = player
        }
    }

    /// After the first window.
    private func liveOn(_ player: inout Player) throws(Failure) {
        let (age, life) = (now - player.installed, player.life())
        guard age > 2 * day else { return }
        let more = factor(player) - 1
        if more > 0 {
            let end = player.installed + 2 * day - 1
            for deed in life where deed.time < 2 * day { try book.pay(player, deed, share: more, end) }
        }
        try book.play(&player, life, 2 * day..<age, factor: 1 + more)
    }

    private func factor(_ player: Player) -> Double { breach == .spending && player.campaign != nil ? 1.3 : 1 }

    /// What a player really brings up to a time since the install, in millionths of a dollar.
    private func revenue(_ player: Player, _ life: [Deed], until end: Int64) -> Int64 {
        var sum: Int64 = 0
        for deed in life where deed.time < end {
            guard let (amount, coin, _) = deed.payment else { continue }
            let paid = Int64(Double(amount) * factor(player)) * coin.rate / 10_000
            sum += breach == .rate && coin.isEuro ? paid * 10 / 12 : paid
        }
        return sum
    }

    /// The models by time, as a receiver knows them.
    var modelTimes: PostbackModels<ConversionModel> {
        PostbackModels(zip([0, change], book.models).filter { $0.0 <= now }.map { (from: $0.0, model: $0.1) })
    }

    var hasTwoModels: Bool { change <= now }

    /// Sends what devices have sent until now; a line for each install that a report has to count: its network, source
    /// identifier and value, as the postback tells them, its model, and its revenue to day 2, 7, 35 and to date.
    func send(to shelf: inout Shelf, _ key: SigningKey) throws(Failure) -> [UInt8] {
        let sending = Sending(players, campaigns, hidesLowValues: breach == .hiding)
        var lines = ByteBuffer(capacity: 1 << 20)
        var number = 0
        for player in players {
            for sent in sending.postbacks(of: player) where sent.time < now {
                number += 1
                let body = sent.body(number, key)
                let isCounted = try shelf.receive(body, at: sent.time)
                if number % 100 == 0 { _ = try shelf.receive(body, at: sent.time + 60) }
                guard isCounted, sent.isWinning, sent.window == .first, !sent.isRedownload else { continue }
                let life = player.life()
                lines.append(message: "\(sent.words)\t\(player.model)")
                for end in [2 * day, 7 * day, 35 * day, now - player.installed] {
                    lines.append(message: "\t\(revenue(player, life, until: end))")
                }
                lines.append("\n")
            }
        }
        return lines.array
    }
}

extension ByteBuffer {
    mutating func append(message text: Message) { text.utf8.withUnsafeBytes { append($0) } }
}

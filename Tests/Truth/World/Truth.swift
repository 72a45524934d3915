internal import SKANCommandOutput
internal import SKANCore
internal import SKANPostbackReceiving
internal import SKANSimulatedDevice

/// What is true in a world, and the postbacks that its devices send.
struct Truth: ~Copyable {
    /// A line for each install whose postback of window 0 has arrived, redownloads included: its network, source
    /// identifier and value, as the postback tells them, its model, whether it is a redownload, and its revenue until some
    /// days and to date. A last line, without a network, has the number of the store's other installs and their revenue.
    private(set) var counted = ByteBuffer(capacity: 1 << 20)
    /// A line for each install that a campaign brought: its network and campaign, the day of the install, whether it is a
    /// redownload, when its postback of window 0 arrived, if it has, and its revenue.
    private(set) var brought = ByteBuffer(capacity: 1 << 20)
    let costs: Costs
    private let world: World
    private let sending: Sending
    private var sent = 0
    private var others = 0
    private var revenueOfOthers = [Int64](repeating: 0, count: Truth.days.count + 1)

    /// The days that revenue is told until.
    private static var days: [Int64] { [2, 7, 35, 60, 90, 180] }

    /// Plays what devices send until the report is made.
    init(_ world: World, _ shelf: inout Shelf) throws(Failure) {
        self.world = world
        sending = Sending(world.players, world.campaigns, world.traits)
        costs = Costs(world.campaigns, world.players, sending, seed: world.seed)
        counted.append("network\tidentifier\tkind\tvalue\tmodel\tredownload")
        brought.append("network\tcampaign\tday\tredownload\tarrived")
        for days in Truth.days {
            counted.append(message: "\tday_\(days)")
            brought.append(message: "\tday_\(days)")
        }
        counted.append("\tto_date\n")
        brought.append("\tto_date\n")
        for player in world.players { try add(player, &shelf) }
        counted.append(message: "\t\t\t\(others)\t\t")
        counted.append(message: revenueOfOthers.reduce("" as Message) { "\($0)\t\($1)" })
        counted.append("\n")
    }

    private mutating func add(_ player: Player, _ shelf: inout Shelf) throws(Failure) {
        let revenue = revenue(player)
        let sums = revenue.reduce("" as Message) { "\($0)\t\($1)" }
        let first = try received(player, &shelf)
        if let first {
            counted.append(message: "\(words(first.postback))\t\(player.model)\t\(first.postback.isRedownload ? 1 : 0)")
            counted.append(message: "\(sums)\n")
        } else if world.isStored(player) {
            others += 1
            for (place, sum) in revenue.enumerated() { revenueOfOthers[place] += sum }
        }
        guard let ad = sending.ad(of: player) else { return }
        let kind: StaticString = ad.version == .skan3 ? "campaign-id " : ""
        let campaign = "\(networkName(ad.network))\t\(kind)\(ad.identifier % 100)" as Message
        let isRedownload = player.isRedownload(world.traits) ? 1 : 0
        let arrived: Message = first.map { "\($0.arrival)" } ?? ""
        brought.append(message: "\(campaign)\t\(utcDay(player.installed))\t\(isRedownload)\t\(arrived)\(sums)\n")
    }

    /// Lets the receiver take what has arrived of a player. Answers the postback of window 0 of the ad that won.
    private mutating func received(_ player: Player, _ shelf: inout Shelf) throws(Failure) -> Sent? {
        var first: Sent?
        for arriving in sending.sent(player) where arriving.arrival < world.now {
            sent += 1
            let isNew = try shelf.receive(arriving, sent, at: arriving.arrival)
            // A network forwards some postbacks twice.
            if sent % 100 == 0 { _ = try shelf.receive(arriving, sent, at: arriving.arrival + 60) }
            if isNew, arriving.postback.isWinning, arriving.postback.window == 0 { first = arriving }
        }
        return first
    }

    /// The revenue of a player until each of the days, and to date.
    private func revenue(_ player: Player) -> [Int64] {
        let life = world.life(player)
        let ends = Truth.days.map { $0 * day } + [world.now - player.installed]
        return ends.map { world.revenue(player, life, until: $0) }
    }
}

/// The network, identifier and value of a postback.
private func words(_ postback: Postback) -> Message {
    let value: Message = postback.fine.map { "fine\t\($0)" } ?? postback.coarse.map { "coarse\t\($0)" } ?? "hidden\t"
    let kind: StaticString = postback.version == .skan3 ? "campaign-id " : ""
    let identifier = "\(kind)\(postback.identifier)" as Message
    return "\(networkName(postback.network))\t\(identifier)\t\(value)"
}

extension ByteBuffer {
    mutating func append(message text: Message) { text.utf8.withUnsafeBytes { append($0) } }
}

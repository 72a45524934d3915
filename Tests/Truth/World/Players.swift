internal import SKANCore
internal import SKANEngine
internal import SKANSimulatedDevice
internal import SKANSystem

/// One install.
struct Player {
    let number: Int
    let seed: UInt64
    /// Unix seconds.
    let installed: Int64
    /// The place of its conversion model.
    let model: Int
    /// The place of the country.
    var country = 0
    var device: SimulatedDevice
    /// Whether it pays for something after window 0.
    var paysLater = false
    /// The place of the campaign that brought it; nil: none did.
    var campaign: Int?

    init(_ number: Int, seed: UInt64, installed: Int64, model: Int, _ readings: Readings) {
        (self.number, self.seed, self.installed, self.model) = (number, seed, installed, model)
        device = SimulatedDevice(installed: installed, readings)
    }

    /// Whether the person had the app before, which says nothing about the value.
    func isRedownload(_ traits: Traits) -> Bool {
        var chance = Chance(seed: seed ^ 0x2ED0)
        return chance.isDrawn(traits.redownloads)
    }

    /// The place of its fine value among the values of all models.
    var value: Int { model * 64 + Int(device.fine) }

    var key: [UInt8] { ("player-\(number)" as Message).utf8 }
}

var day: Int64 { 86_400 }

/// Lives go through the engine: a game's back end registers, adds revenue, updates values, and the device gets them.
struct PlayerBook {
    let records = MemoryRecords()
    let models: [ConversionModel]
    /// The windows in which the app never sets a value.
    let quietWindows: [Window]

    func register(_ player: inout Player) throws(Failure) {
        let registration = Registration(now: player.installed, model: models[player.model])
        if let update = try run(registration, player).update { try deliver(update, to: &player) }
    }

    /// Does what is to be done in a time since the install, with prices times `factor`.
    func play(_ player: inout Player, _ life: [Deed], _ times: Range<Int64>, factor: Double = 1) throws(Failure) {
        for deed in life where times.contains(deed.time) {
            let now = player.installed + deed.time
            try pay(player, deed, share: factor, now)
            let decision = ModelDecision(models: models, event: deed.event.bytes, now: now)
            let update = try run(ConversionUpdate(eventID: nil, decision: decision), player).update
            if let update { try deliver(update, to: &player) }
        }
    }

    /// Adds revenue; the value is not updated.
    func pay(_ player: Player, _ deed: Deed, share: Double, _ now: Int64) throws(Failure) {
        guard let (amount, coin, kind) = deed.payment, let currency = Currency(coin.letters.bytes) else { return }
        let money = Money(units: Int128(Double(amount) * share) * Money.scale / 1_000_000)
        _ = try run(RevenueUpdate(amount: money, currency: currency, kind: kind, eventID: nil, now: now), player)
    }

    private func deliver(_ update: ValueUpdate, to player: inout Player) throws(Failure) {
        guard !quietWindows.contains(update.window) else { return }
        player.device.update(
            fine: update.fine, coarse: update.coarse, locks: update.locksWindow, at: update.timestamp)
        let id = update.id
        _ = try run(ReengagementRule(CallAcknowledgement(1) { _ in (id, .delivered) }), player)
    }

    private func run<R: Rule>(_ rule: R, _ player: Player) throws(Failure) -> R {
        var rule = rule
        var state = InstallState(.skan4)
        try player.key.withBytes { key throws(Failure) in _ = try records.perform(&state, key, &rule) }
        return rule
    }
}

import SKAN

/// What a game's back end does with libskan: it is told of launches, sessions, events and purchases, and hands the
/// newest conversion value to the app, which alone can call Apple, when the app next calls.
struct GameBackEnd {
    let engine: Engine

    /// The app's first launch, as the app or the attribution service reports it.
    func firstLaunch(of player: String) async throws {
        let registration = try await engine.register(player)
        print("\(player): first launch, \(registration.outcome)")
    }

    /// A session or an event of the game: asks for the next value. A refusal or a missing answer is no reason to fail
    /// the player's request; the next event asks again.
    func event(_ name: String? = nil, of player: String, on device: Device) async throws {
        do {
            let result = try await engine.updateConversionValues(player, event: name, device: device)
            print("\(player): \(name ?? "session"), \(show(result))")
        } catch SKANError.Code.rejected, SKANError.Code.transport {
            print("\(player): \(name ?? "session"), no value now")
        }
    }

    /// A purchase, as the payment service's webhook reports it: more than once, if it likes. The order's id makes it
    /// count once, for the revenue as for the value; so every step may simply be tried again.
    func purchase(
        _ order: String, by player: String, thousandths: Int, currency: String, on device: Device
    ) async throws {
        guard let price = Amount(thousandths, decimals: 3) else { return }
        let counted = try await retrying {
            try await engine.updateRevenue(player, amount: price, currency: currency, eventID: order)
        }
        print("\(player): \(order) of \(price) \(currency), \(counted)")
        let result = try await retrying {
            try await engine.updateConversionValues(player, event: "purchase", eventID: order, device: device)
        }
        print("\(player): \(order) asks for a value, \(show(result))")
    }

    /// The app calls: it gets the value that waits for it, and says later whether Apple took it.
    func appCalls(_ player: String, appleTakesIt: Bool) async throws {
        guard let update = try await engine.pendingUpdate(player) else {
            print("\(player): the app calls, nothing waits")
            return
        }
        print("\(player): the app calls, gets \(show(update)), Apple \(appleTakesIt ? "took" : "did not take") it")
        try await engine.acknowledgeUpdate(player, id: update.id, delivered: appleTakesIt)
    }

    /// What the back end adds to its S2S session and event calls.
    func metadata(of player: String) async throws {
        print("\(player): metadata")
        for item in try await engine.metadata(player).split(separator: "&") { print("    \(item)") }
    }

    private func show(_ result: UpdateResult) -> String {
        result.update.map { "\(result.outcome): \(show($0))" } ?? "\(result.outcome)"
    }

    private func show(_ update: Update) -> String {
        let fine = update.fineValue.map { "\($0)" } ?? "none"
        let coarse = update.coarseValue.map { "\($0)" } ?? "none"
        return "update \(update.id): window \(update.window), fine \(fine), coarse \(coarse)"
            + (update.locksWindow ? ", lock" : "")
    }

    /// Tries again what ended without an answer, or without one that can be told.
    private func retrying<Result: Sendable>(_ call: () async throws -> Result) async throws -> Result {
        for _ in 0..<3 {
            do {
                return try await call()
            } catch SKANError.Code.transport, SKANError.Code.storeUnknown, SKANError.Code.storeConflict {
                print("    again")
            }
        }
        return try await call()
    }
}

import SKAN

/// Five days of one player.
@main
struct Story {
    static func main() async throws {
        let clock = GameClock()
        let endpoint = PlayedEndpoint()
        let engine = try Engine(
            Configuration(sdkKey: "our-key", bundleID: "com.example.game", appVersion: "1.2.3"), store: SlowStore(),
            transport: { url in try await endpoint.get(url) }, clock: clock.now)
        let backEnd = GameBackEnd(engine: engine)
        let phone = Device(osVersion: "17.2", idfv: "21DB6612-09B3-4ECC-84AC-B353B0AF1334")

        try await backEnd.firstLaunch(of: "player-1")
        try await backEnd.appCalls("player-1", appleTakesIt: true)
        try await backEnd.event(of: "player-1", on: phone)
        try await backEnd.event("tutorial", of: "player-1", on: phone)
        try await backEnd.appCalls("player-1", appleTakesIt: false)
        try await backEnd.appCalls("player-1", appleTakesIt: true)
        try await backEnd.event("banned", of: "player-1", on: phone)

        clock.pass(hours: 20)
        for _ in 0..<2 {
            try await backEnd.purchase("order-1", by: "player-1", thousandths: 4990, currency: "USD", on: phone)
        }
        try await backEnd.appCalls("player-1", appleTakesIt: true)
        try await backEnd.appCalls("player-1", appleTakesIt: true)

        clock.pass(hours: 80)
        try await engine.updateRevenue("player-1", amount: 0.0125, currency: "USD", adMonetization: true)
        try await backEnd.purchase("order-2", by: "player-1", thousandths: 99_000, currency: "EUR", on: phone)
        try await backEnd.appCalls("player-1", appleTakesIt: true)
        try await backEnd.metadata(of: "player-1")
        print(try await engine.details("player-1").json)
    }
}

import SKAN
import Synchronization

/// What a game's back end does with libskan: it is told of launches, sessions, events and purchases, and hands the
/// newest conversion value to the app, which alone can call Apple, when the app next calls. Here five days of one
/// player.
@main
struct GameBackEnd {
    private let engine: Engine
    private let player = "player-1"

    static func main() async throws {
        let engine = try Engine(
            Configuration(
                endpointURL: "https://skan.example.com", sdkKey: "our-key", bundleID: "com.example.game",
                appVersion: "1.2.3"),
            store: SlowStore(), transport: answer, clock: { now.load(ordering: .relaxed) })
        let backEnd = GameBackEnd(engine: engine)
        print("first launch, \(try await engine.register(backEnd.player).outcome)")
        for event in [nil, "tutorial", "banned"] { try await backEnd.event(event) }
        for appleTakesIt in [false, true, true] { try await backEnd.appCalls(appleTakesIt: appleTakesIt) }

        now.add(100 * 3_600_000_000, ordering: .relaxed)
        // As the payment service's webhook reports it: more than once, if it likes.
        for _ in 0..<2 { try await backEnd.purchase("order-1") }
        try await engine.updateRevenue(backEnd.player, amount: 0.0125, currency: "USD", kind: .ad)
        try await backEnd.appCalls(appleTakesIt: true)
        for item in try await engine.metadata(backEnd.player).split(separator: "&") { print("    \(item)") }
        print(try await engine.details(backEnd.player).json)
    }

    /// A session or an event of the game: asks for the next value. A refusal is no reason to fail the player's request.
    private func event(_ name: String? = nil, order: String? = nil) async throws {
        do {
            let device = Device(osVersion: "17.2", idfv: "21DB6612-09B3-4ECC-84AC-B353B0AF1334")
            let result = try await engine.updateConversionValues(player, Event(name, eventID: order, device: device))
            print("\(name ?? "session"), \(result.outcome)")
        } catch SKANError.Code.rejected {
            print("\(name ?? "session"), no value now")
        } catch SKANError.Code.transport {
            print("    again")
            try await event(name, order: order)
        }
    }

    /// The order's id makes it count once, for the revenue as for the value.
    private func purchase(_ order: String) async throws {
        guard let price = Amount(4990, decimals: 3) else { return }
        let counted = try await engine.updateRevenue(player, amount: price, currency: "USD", eventID: order)
        print("\(order) of \(price) USD, \(counted)")
        try await event("purchase", order: order)
    }

    /// The app gets the calls that wait for it, and says later whether Apple took them.
    private func appCalls(appleTakesIt: Bool) async throws {
        let calls = try await engine.pendingCalls(player, osVersion: "17.2")
        guard let last = calls.last else {
            print("the app calls, nothing waits")
            return
        }
        for call in calls {
            let coarse = call.coarseValue.map { "\($0)" } ?? "none"
            print(
                "the app calls, gets update \(call.id) for \(call.framework.rawValue): window \(call.window), "
                    + "fine \(call.fineValue), coarse \(coarse)")
        }
        try await engine.acknowledgeCalls(player, [(last.id, appleTakesIt ? .delivered : .failed)])
    }
}

/// Time, as this example tells it.
private let now = Atomic<Int64>(1_700_000_000_000_000)
private let purchases = Atomic(0)

private struct ConnectionLost: Error {}

/// Answers in place of a conversion endpoint on the network. Its first answer to a purchase gets lost.
private func answer(_ url: String) throws -> [UInt8] {
    if url.contains("&n=purchase&") {
        guard purchases.add(1, ordering: .relaxed).oldValue > 0 else { throw ConnectionLost() }
        return Array(#"{"conversion_value":40,"skan_updated_coarse_value":2,"status":"ok"}"#.utf8)
    }
    if url.contains("&n=tutorial&") { return Array(#"{"conversion_value":10,"skan_updated_coarse_value":1}"#.utf8) }
    if url.contains("&n=banned&") { return Array(#"{"status":"error","reason":"Invalid parameter n given"}"#.utf8) }
    return Array(#"{"status":"ok"}"#.utf8)
}

/// A store in place of a database: every third save is applied, but its answer comes too late.
private actor SlowStore: Store {
    private var records: [[UInt8]: StoredRecord] = [:]
    private var newestVersion: UInt64 = 0

    struct TimeOut: Error {}

    func load(_ key: String) -> StoredRecord? { records[Array(key.utf8)] }

    func save(_ key: String, _ record: [UInt8], expected: UInt64) throws -> SaveResult {
        guard records[Array(key.utf8)]?.version ?? 0 == expected else { return .conflict }
        newestVersion += 1
        records[Array(key.utf8)] = StoredRecord(record, version: newestVersion)
        if newestVersion % 3 == 0 { throw TimeOut() }
        return .saved(version: newestVersion)
    }

    func remove(_ key: String, expected: UInt64) -> RemoveResult { .conflict }
}

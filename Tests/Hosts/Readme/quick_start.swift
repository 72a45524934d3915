// README's quick start in Swift, with Foundation's HTTP client and an app that takes what it is given.
import Foundation
import FoundationNetworking
// README: imports

func get(_ url: String) async throws -> [UInt8] {
    let (body, answer) = try await URLSession.shared.data(from: URL(string: url)!)
    precondition((answer as? HTTPURLResponse)?.statusCode == 200, "\(answer)")
    return Array(body)
}

nonisolated(unsafe) var sent = ""

func sendToApp(_ calls: String) async throws {
    sent = calls
    for part in [#""fine_value":16,"coarse_value":1,"#, #""SKAdNetwork""#, #""AdAttributionKit""#] {
        precondition(calls.contains(part), calls)
    }
}

/// The app made the calls that it was sent.
func idFromApp() -> UInt64 {
    let id = sent.split(separator: #""id":"#)[1].prefix { $0.isNumber }
    return UInt64(id) ?? 0
}

// README: code
let waiting = try await engine.pendingCalls("player-1")
precondition(waiting.isEmpty, "\(waiting)")

// The article "Getting started" in Swift: a model in process, installs in an SQLite file, and an app that takes calls.
// README: imports

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

// The article "Getting started" in Swift: a model in process, installs in an SQLite file, and an app that takes calls.
// README: imports

func sendToApp(_ calls: String) async throws {
    for part in [#""id":2,"#, #""fine_value":16,"coarse_value":1,"#, #""SKAdNetwork""#, #""AdAttributionKit""#] {
        precondition(calls.contains(part), calls)
    }
}

// README: code
let waiting = try await engine.pendingCalls("player-1")
precondition(waiting.isEmpty, "\(waiting)")

// The article "Getting started" in Swift: a model in process, installs in an SQLite file, and an app that takes an update.
// README: imports

func sendToApp(_ update: Update) async throws {
    precondition(update.id == 2 && update.fineValue == 16 && update.coarseValue == .medium, "\(update)")
}

// README: code
let waiting = try await engine.pendingUpdate("player-1")
precondition(waiting == nil, "\(String(describing: waiting))")

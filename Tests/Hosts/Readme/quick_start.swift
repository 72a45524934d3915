// README's quick start in Swift, with Foundation's HTTP client and an app that takes what it is given.
import Foundation
import FoundationNetworking
// README: imports

func get(_ url: String) async throws -> [UInt8] {
    let (body, answer) = try await URLSession.shared.data(from: URL(string: url)!)
    precondition((answer as? HTTPURLResponse)?.statusCode == 200, "\(answer)")
    return Array(body)
}

func sendToApp(_ update: Update) async throws {
    precondition(update.id == 2 && update.fineValue == 16 && update.coarseValue == .medium, "\(update)")
}

// README: code
let waiting = try await engine.pendingUpdate("player-1")
precondition(waiting == nil, "\(String(describing: waiting))")

// README's quick start in Swift, with an endpoint that answers it and an app that takes what it is given.
// README: imports

func get(_ url: String) async throws -> [UInt8] {
    precondition(url.starts(with: "https://skan.example.com/api/v2/conversion_value?a="), url)
    precondition(url.contains("&v=17.2&i=com.example.game&n=purchase&p=iOS&idfv="), url)
    precondition(url.contains("&skan_total_revenue_by_currency=%7B%22USD%22%3A4.99%7D&"), url)
    return Array(#"{"conversion_value": 12, "skan_updated_coarse_value": 1}"#.utf8)
}

func sendToApp(_ update: Update) async throws {
    precondition(update.fineValue == 12 && update.coarseValue == .medium, "\(update)")
}

// README: code
let waiting = try await engine.pendingUpdate("player-1")
precondition(waiting == nil, "\(String(describing: waiting))")

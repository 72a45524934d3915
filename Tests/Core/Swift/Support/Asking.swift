import SKAN

extension Configuration {
    /// The settings of an engine that asks an endpoint.
    static let asking = Configuration(endpointURL: "https://skan.example.com")
}

extension Engine {
    /// The call to SKAdNetwork that waits for the app; nil if none does.
    func waitingCall(_ installID: String) async throws -> AppCall? {
        try await pendingCalls(installID).first { $0.framework == .skAdNetwork }
    }
}

import SKAN
import SKANSQLite

/// Registers an install in the file that it is given, and says what came of it.
@main
struct Keeper {
    static func main() async throws {
        let path = CommandLine.arguments[1]
        let engine = try await Engine(
            Configuration(endpointURL: "https://skan.example.com", bundleID: "com.example.game"),
            store: .sqlite(path: path, synchronous: .normal) { print("the store:", $0.message) })
        let outcome = try await engine.register("player-1").outcome
        print(outcome == .alreadyRegistered ? "alreadyRegistered" : outcome == .ok ? "ok" : "\(outcome)")
    }
}

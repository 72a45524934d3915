import CSQLite
import CSystem
import HTTPClient
import SKAN
import SKANHTTP
import SKANPostback
import SKANPostgres
import SKANRedis
import SKANSQLite
import SKANStoreKit

/// All of libskan beside packages that have targets of the names CSQLite, CSystem and HTTPClient.
@main
struct Beside {
    static func main() async throws {
        let engine = try Engine(Configuration(endpointURL: "https://skan.example.com", bundleID: "com.example.game"))
        let outcome = try await engine.register("player-1").outcome
        _ = HTTPClient()
        print(outcome == .ok && sqlite3_libversion_number() > 3_000_000 && system_answer() == 42 ? "ok" : "\(outcome)")
    }
}

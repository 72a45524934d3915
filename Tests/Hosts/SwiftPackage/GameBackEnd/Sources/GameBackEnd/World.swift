import SKAN
import Synchronization

/// Time, as this example tells it.
final class GameClock: Sendable {
    private let microseconds = Atomic<Int64>(1_700_000_000_000_000)

    var now: Engine.Clock { { self.microseconds.load(ordering: .relaxed) } }

    func pass(hours: Int64) {
        microseconds.add(hours * 3_600_000_000, ordering: .relaxed)
    }
}

/// In place of a conversion endpoint on the network: decides by what the request says. Its first answer to a purchase
/// gets lost.
actor PlayedEndpoint {
    private var isFirstPurchase = true

    struct ConnectionLost: Error {}

    /// The body of the answer to a GET.
    func get(_ url: String) throws -> [UInt8] {
        let items = url.drop { $0 != "?" }.dropFirst().split(separator: "&")
        let event = items.first { $0.hasPrefix("n=") }?.dropFirst(2)
        switch event {
        case "purchase":
            if isFirstPurchase {
                isFirstPurchase = false
                throw ConnectionLost()
            }
            return Array(#"{"conversion_value":40,"skan_updated_coarse_value":2,"status":"ok"}"#.utf8)
        case "tutorial":
            return Array(#"{"conversion_value":10,"skan_updated_coarse_value":1,"status":"ok"}"#.utf8)
        case "banned":
            return Array(#"{"status":"error","reason":"Conversion Management: Invalid parameter n given"}"#.utf8)
        default:
            return Array(#"{"status":"ok"}"#.utf8)
        }
    }
}

/// In place of a database: every third save is applied, but its answer comes too late.
actor SlowStore: Store {
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

    func remove(_ key: String, expected: UInt64) -> RemoveResult {
        guard let record = records[Array(key.utf8)], record.version == expected else { return .conflict }
        records[Array(key.utf8)] = nil
        return .removed
    }
}

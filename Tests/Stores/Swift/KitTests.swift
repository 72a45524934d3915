import SKAN
import SKANSQLite
import SKANStoreKit
import Testing

/// The kit on stores of Swift.
struct KitTests {
    private static func kit(isDurable: Bool) -> StoreKit {
        var kit = StoreKit(isDurable: isDurable, isShared: true)
        kit.prefix = ""
        kit.rounds = 20
        kit.steps = 300
        return kit
    }

    @Test
    func anActorWithADictionaryKeepsEveryLaw() async throws {
        let store = DictionaryStore()
        let results = try await KitTests.kit(isDurable: false).run { store }
        #expect(results.map(\.number) == Array(1...results.count))
        for result in results { #expect(result.holds, "\(result)") }
        #expect(results.contains { if case .notApplicable = $0.outcome { true } else { false } })
    }

    @Test
    func sqliteKeepsEveryLaw() async throws {
        let folder = try Folder()
        let path = folder.path("kit.db")
        let results = try await KitTests.kit(isDurable: true).run {
            try await SQLiteStore.sqlite(path: path, synchronous: .normal, connections: 2)
        }
        #expect(results.count > 20)
        expectAll(results)
    }

    @Test
    func aBrokenLawIsNamed() async throws {
        let store = DictionaryStore(isCareless: true)
        let results = try await KitTests.kit(isDurable: false).run { store }
        let broken = results.filter { !$0.holds }
        #expect(!broken.isEmpty)
        for result in broken {
            guard case .failed(let reason) = result.outcome else { continue }
            #expect(!reason.isEmpty)
        }
    }

    @Test
    func whatAStoreThrowsIsTold() async throws {
        let results = try await KitTests.kit(isDurable: false).run { throw StoreFailure("no such server") }
        #expect(results.allSatisfy { !$0.holds })
        #expect("\(try #require(results.first))".contains("no such server") || results.contains { !$0.thrown.isEmpty })
    }

    @Test
    func numbersOutOfRangeAreRefused() async throws {
        var kit = KitTests.kit(isDurable: false)
        kit.threads = 1
        await #expect(throws: SKANError.self) { try await kit.run { DictionaryStore() } }
    }
}

/// Every law holds; none is left out but those of listing, which stores of Swift do not offer.
func expectAll(_ results: [LawResult]) {
    for result in results {
        if case .notApplicable(let reason) = result.outcome {
            #expect(reason.hasPrefix("the store has no list"), "\(result)")
        } else {
            #expect(result.outcome == .passed, "\(result)")
        }
    }
}

/// An actor with a dictionary; a careless one saves whatever version is expected.
actor DictionaryStore: Store {
    private var records: [[UInt8]: StoredRecord] = [:]
    private var newestVersion: UInt64 = 0
    private let isCareless: Bool

    init(isCareless: Bool = false) { self.isCareless = isCareless }

    func load(_ key: String) -> StoredRecord? { records[Array(key.utf8)] }

    func save(_ key: String, _ record: [UInt8], expected: UInt64) -> SaveResult {
        guard isCareless || records[Array(key.utf8)]?.version ?? 0 == expected else { return .conflict }
        newestVersion += 1
        records[Array(key.utf8)] = StoredRecord(record, version: newestVersion)
        return .saved(version: newestVersion)
    }

    func remove(_ key: String, expected: UInt64) -> RemoveResult {
        guard let record = records[Array(key.utf8)], record.version == expected else { return .conflict }
        records[Array(key.utf8)] = nil
        return .removed
    }
}

import Foundation
import SKAN
import Synchronization

/// libskan.so is Embedded Swift and carries a small Swift runtime of its own. This program has the full one, uses much
/// of it (Foundation, generics, existentials, concurrency), and all copies of libskan beside it and through it.
@main
struct Together {
    static func main() async throws {
        guard let path = CommandLine.arguments.dropFirst().first else {
            print("FAILED  usage: Together copy-of-libskan.so")
            return
        }
        let opened = try CLibrary.opened(path)
        check("the opened library is another one than the linked", opened.place != CLibrary.linked.place)
        let all: [(name: String, installs: any Installs)] = [
            ("package, in memory", try PackageInstalls(MemoryStore())),
            ("package, own store", try PackageInstalls(TableStore())),
            ("linked library, in memory", try LibraryInstalls(.linked, inMemory: true)),
            ("linked library, own store", try LibraryInstalls(.linked, inMemory: false)),
            ("opened library, in memory", try LibraryInstalls(opened, inMemory: true)),
            ("opened library, own store", try LibraryInstalls(opened, inMemory: false)),
        ]

        // One story, the same answers.
        var documents: Set<String> = []
        for (name, installs) in all {
            let document = try await story(on: installs)
            documents.insert(document)
            let details = try JSONDecoder().decode(Details.self, from: Data(document.utf8))
            check("the story on the \(name)", details.fineValue == 42 && details.iapRevenue["USD"] == Amount("5.99"))
        }
        check("all give the same document", documents.count == 1)

        // All at once, from many tasks, with the runtime's own work in between.
        try await withThrowingTaskGroup { group in
            for (_, installs) in all {
                for _ in 0..<4 { group.addTask { try await storm(on: installs) } }
            }
            try await group.waitForAll()
        }
        for (name, installs) in all {
            let details = try Details(json: try await installs.details("storm").utf8)
            check("the storm on the \(name)", details.iapRevenue == ["USD": Amount(100)])
        }

        let words = "expected 1 to 128 bytes of UTF-8 without control bytes, got an empty text"
        for (name, installs) in all {
            do {
                try await installs.register("")
                check("the \(name) complains", false)
            } catch {
                check("the complaint of the \(name)", "\(error)".contains(words))
            }
        }
    }

    private static func check(_ what: String, _ holds: Bool) { print(holds ? "ok     " : "FAILED ", what) }

    private static func story(on installs: any Installs) async throws -> String {
        try await installs.register("player")
        for _ in 0..<10 { try await installs.add(0.1, "usd", to: "player", event: nil) }
        for _ in 0..<2 { try await installs.add(4.99, "USD", to: "player", event: "order-1") }
        try await installs.apply(#"{"conversion_value":42,"skan_updated_coarse_value":2,"status":"ok"}"#, to: "player")
        return try await installs.details("player")
    }

    private static func storm(on installs: some Installs) async throws {
        for round in 0..<250 {
            try await installs.add(0.1, "USD", to: "storm", event: nil)
            guard round % 25 == 0 else { continue }
            let mixed: [any CustomStringConvertible] = [
                round, "\(round)", [round: Double(round)], Date(timeIntervalSince1970: 0),
            ]
            let texts = mixed.map(\.description).sorted()
            let coded = try JSONDecoder().decode([String].self, from: JSONEncoder().encode(texts))
            guard coded == texts else { throw LibraryInstalls.Failure(status: 0, message: "the runtime is broken") }
        }
    }
}

/// A host's store, for the package and for the C library.
final class TableStore: Store {
    private let table = Mutex((records: [[UInt8]: StoredRecord](), newestVersion: UInt64(0)))

    func load(_ key: String) -> StoredRecord? { table.withLock { $0.records[Array(key.utf8)] } }

    func save(_ key: String, _ record: [UInt8], expected: UInt64) -> SaveResult {
        table.withLock { table in
            guard table.records[Array(key.utf8)]?.version ?? 0 == expected else { return .conflict }
            table.newestVersion += 1
            table.records[Array(key.utf8)] = StoredRecord(record, version: table.newestVersion)
            return .saved(version: table.newestVersion)
        }
    }

    func remove(_ key: String, expected: UInt64) -> RemoveResult { .conflict }
}

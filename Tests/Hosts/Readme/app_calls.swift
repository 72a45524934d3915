// README: imports
// README: code

/// A server that gives its lists one after the other, then empty ones, and says what it is told.
final class Server: Backend, @unchecked Sendable {
    private var lists: [CallList]

    init(_ files: [String]) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        lists = try files.map { try decoder.decode(CallList.self, from: Data(contentsOf: URL(fileURLWithPath: $0))) }
    }

    func send(_ report: OpenReport, age: TimeInterval, osVersion: String) async throws {
        let isRecent = age < 60 && !osVersion.isEmpty
        print("report \(report.tag) \(report.reference) started \(report.isStarted) recent \(isRecent)")
    }

    func fetchCalls(osVersion: String) async throws -> CallList {
        lists.isEmpty ? CallList(validSeconds: nil, calls: []) : lists.removeFirst()
    }

    func acknowledge(_ results: [(id: UInt64, result: CallResult)]) async throws {
        print("acknowledged", results.map { "\($0.id) \($0.result)" }.joined(separator: ", "))
    }
}

struct Memory: Disk {
    var reports: [OpenReport] = []
    var acknowledgements: [(id: UInt64, result: CallResult)] = []
}

@main
struct App {
    static func main() async throws {
        let calls = AppleCalls(backend: try Server(Array(CommandLine.arguments.dropFirst())), disk: Memory())
        await calls.started()
        let link = "https://game.example/spring?AdAttributionKitReengagementOpen=1"
        if let url = URL(string: link) { await calls.opened(url) }
        if let url = URL(string: "https://game.example/spring") { await calls.opened(url) }
    }
}

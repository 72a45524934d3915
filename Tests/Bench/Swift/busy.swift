// Calls of 200 tasks that meet on one install, beside the same calls by one task: busy NAME URL... Rounds of both take
// turns; printed are the medians, the median of each round's ratio, and how many calls failed.
import Foundation
import SKAN
import SKANPostgres
import SKANRedis
import SKANSQLite

let tasks = 200
let callsOfEach = 20
let rounds = 5

/// A store of the host's own, which takes a millisecond for each call.
actor SlowStore: Store {
    private var records: [String: StoredRecord] = [:]
    private var newest: UInt64 = 0

    func load(_ key: String) async throws -> StoredRecord? {
        try await Task.sleep(for: .milliseconds(1))
        return records[key]
    }

    func save(_ key: String, _ record: [UInt8], expected: UInt64) async throws -> SaveResult {
        try await Task.sleep(for: .milliseconds(1))
        guard records[key]?.version ?? 0 == expected else { return .conflict }
        newest += 1
        records[key] = StoredRecord(record, version: newest)
        return .saved(version: newest)
    }

    func remove(_ key: String, expected: UInt64) async throws -> RemoveResult {
        guard records[key]?.version == expected else { return .conflict }
        records[key] = nil
        return .removed
    }
}

func openStore(_ name: String, _ url: String) async throws -> any Store {
    switch name {
    case "sqlite": try await .sqlite(path: url)
    case "postgres": try await .postgres(url, createTable: true)
    case "redis": try await .redis(url)
    default: SlowStore()
    }
}

/// Microseconds a call, and how many calls failed.
func run(_ engine: Engine, tasks: Int, calls: Int) async -> (time: Double, failed: Int) {
    let begin = ContinuousClock.now
    let failed = await withTaskGroup { group in
        for _ in 0..<tasks {
            group.addTask {
                var failed = 0
                for _ in 0..<calls {
                    do { try await engine.updateRevenue("player-1", amount: 1, currency: "USD") } catch { failed += 1 }
                }
                return failed
            }
        }
        return await group.reduce(0, +)
    }
    return ((ContinuousClock.now - begin) / .microseconds(1) / Double(tasks * calls), failed)
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

for index in stride(from: 1, to: CommandLine.arguments.count - 1, by: 2) {
    let (name, url) = (CommandLine.arguments[index], CommandLine.arguments[index + 1])
    let endpoint = Configuration(endpointURL: "https://skan.example.com")
    let engine = try Engine(endpoint, store: await openStore(name, url))
    var (alone, together, ratios, failed) = ([Double](), [Double](), [Double](), 0)
    for _ in 0..<rounds {
        let one = await run(engine, tasks: 1, calls: tasks * callsOfEach)
        let all = await run(engine, tasks: tasks, calls: callsOfEach)
        alone.append(one.time)
        together.append(all.time)
        ratios.append(all.time / one.time)
        failed += one.failed + all.failed
    }
    print(
        String(
            format: "%@ 1 task %7.1f us a call, %d tasks %7.1f us, ratio %.2f, %d of %d calls failed",
            name.padding(toLength: 9, withPad: " ", startingAt: 0), median(alone), tasks, median(together),
            median(ratios), failed, 2 * rounds * tasks * callsOfEach))
}

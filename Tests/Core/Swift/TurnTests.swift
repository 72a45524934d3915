import SKAN
import Synchronization
import Testing

/// Rules, "Turns", for tasks: calls that change one install come to the store one after the other, and whatever a hook
/// waits for, no call hangs. For threads it is in Tests/Trouble/Core/turns.c, which also judges their order and forks.
struct TurnTests {
    /// A store whose calls let other tasks run. It counts conflicts.
    private final class YieldingStore: Store {
        typealias Work = @Sendable () async throws -> Void

        private let base = HostStore()
        private let counted = Atomic(0)
        private let work = Mutex<Work?>(nil)

        var conflicts: Int { counted.load(ordering: .relaxed) }

        /// What the next save does first.
        func beforeNextSave(_ work: @escaping Work) { self.work.withLock { $0 = work } }

        func load(_ key: String) async throws -> StoredRecord? {
            let record = await base.load(key)
            await Task.yield()
            return record
        }

        func save(_ key: String, _ record: [UInt8], expected: UInt64) async throws -> SaveResult {
            let before = work.withLock { work in
                defer { work = nil }
                return work
            }
            try await before?()
            let result = await base.save(key, record, expected: expected)
            if result == .conflict { counted.add(1, ordering: .relaxed) }
            return result
        }

        func remove(_ key: String, expected: UInt64) async throws -> RemoveResult {
            await base.remove(key, expected: expected)
        }
    }

    private let store = YieldingStore()
    private let engine: Engine

    init() throws { engine = try Engine(.asking, store: store) }

    private func buy(_ install: String = "player-1") async throws {
        try await engine.updateRevenue(install, amount: 1, currency: "USD")
    }

    /// Buys until it succeeds: on a very busy machine a call's ten seconds may be over before its turn, which changes
    /// nothing.
    private func buyInTheEnd() async throws {
        while true {
            do { return try await buy() } catch let error as SKANError where error.code == .storeConflict {}
        }
    }

    private func dollars(_ install: String = "player-1") async throws -> Amount? {
        try await engine.details(install).iapRevenue["USD"]
    }

    @Test func callsOnOneInstallNeverMeet() async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<200 {
                group.addTask { for _ in 0..<4 { try await buyInTheEnd() } }
            }
            try await group.waitForAll()
        }
        // A turn that lasts longer than a second is passed on, as on a busy machine. Without turns each call that
        // succeeds is a conflict for all others, which are about 80 000.
        #expect(store.conflicts < 20_000)
        #expect(try await dollars() == Amount(800))
    }

    @Test func callsOnManyInstallsNeverMeetEither() async throws {
        let installs = (0..<10).map { "player-\($0)" }
        try await withThrowingTaskGroup { group in
            for task in 0..<16 {
                group.addTask {
                    for call in 0..<20 {
                        let items = installs.indices.map { index in
                            Revenue(installs[(index + task + call) % 10], amount: 1, currency: "USD")
                        }
                        for result in try await engine.updateRevenueMany(items) { _ = try result.get() }
                        try await buy("player-0")
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(store.conflicts < 160)
        for install in installs {
            #expect(try await dollars(install) == Amount(install == "player-0" ? 640 : 320))
        }
    }

    @Test func aHookMayWaitForACallOnItsInstall() async throws {
        store.beforeNextSave { try await Task.detached { try await buy() }.value }
        try await buy()
        #expect(try await dollars() == Amount(2))
    }

    /// It waits while another call has the turn. On a busy machine the turn may be over before, so this tries again.
    @Test func aCallThatWaitsCanBeCancelled() async throws {
        for attempt in 1...20 {
            let install = "install-\(attempt)"
            let (hasBegun, begun) = AsyncStream.makeStream(of: Void.self)
            let (mayEnd, ended) = AsyncStream.makeStream(of: Void.self)
            store.beforeNextSave {
                begun.yield()
                for await _ in mayEnd { break }
            }
            let first = Task { try await buy(install) }
            for await _ in hasBegun { break }
            let second = Task { try await buy(install) }
            second.cancel()
            let result = await second.result
            ended.yield()
            try await first.value
            if case .success = result, attempt < 20 { continue }
            #expect(throws: CancellationError.self) { try result.get() }
            #expect(try await dollars(install) == Amount(1))
            return
        }
    }

    @Test func whoOnlyReadsDoesNotWait() async throws {
        let engine = engine
        store.beforeNextSave { _ = try await Task.detached { try await engine.details("player-1") }.value }
        try await buy()
        #expect(try await dollars() == Amount(1))
    }
}

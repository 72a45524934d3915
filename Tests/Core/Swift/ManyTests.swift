import SKAN
import Synchronization
import Testing

/// Many amounts in one call: which calls of the store they take, and what a store of the host's may answer. What they
/// come to is in Tests/Vectors, what faults at any item do in RevenuePartTests.
struct ManyTests {
    /// A store that loads and saves many, and answers as a test wants it.
    final class ManyStore: Store {
        typealias Loaded = Result<StoredRecord?, any Error>
        typealias Saved = Result<SaveResult, any Error>

        let base = HostStore()
        let counts = Mutex<[Int]>([])
        let changeLoads: @Sendable ([String], [Loaded]) async throws -> [Loaded]
        let changeSaves: @Sendable ([SaveRequest], [Saved]) async throws -> [Saved]

        init(
            loads: @escaping @Sendable ([String], [Loaded]) async throws -> [Loaded] = { $1 },
            saves: @escaping @Sendable ([SaveRequest], [Saved]) async throws -> [Saved] = { $1 }
        ) {
            changeLoads = loads
            changeSaves = saves
        }

        func load(_ key: String) async throws -> StoredRecord? { await base.load(key) }

        func save(_ key: String, _ record: [UInt8], expected: UInt64) async throws -> SaveResult {
            await base.save(key, record, expected: expected)
        }

        func remove(_ key: String, expected: UInt64) async throws -> RemoveResult {
            await base.remove(key, expected: expected)
        }

        func loadMany(_ keys: [String]) async throws -> [Loaded] {
            counts.withLock { $0.append(keys.count) }
            return try await changeLoads(keys, try await base.loadMany(keys))
        }

        func saveMany(_ saves: [SaveRequest]) async throws -> [Saved] {
            counts.withLock { $0.append(saves.count) }
            return try await changeSaves(saves, try await base.saveMany(saves))
        }
    }

    private struct Broken: Error {}

    /// Two items of "a", with one of "b" between them.
    private let mixed = [
        Revenue("a", amount: 1, currency: "USD", eventID: "1"), Revenue("b", amount: 2, currency: "USD"),
        Revenue("a", amount: 4, currency: "USD", eventID: "1"), Revenue("a", amount: 8, currency: "USD"),
    ]

    private func codes(_ results: [Result<Outcome, SKANError>]) -> [Int32] {
        results.map { result in
            switch result {
            case .success(let outcome): outcome.rawValue
            case .failure(let error): error.code.rawValue
            }
        }
    }

    private func total(_ engine: Engine, _ installID: String) async throws -> String? {
        try await engine.details(installID).iapRevenue["USD"]?.description
    }

    // MARK: Calls of the store

    @Test func eachInstallIsLoadedAndSavedOnce() async throws {
        let store = ManyStore()
        let engine = try Engine(.asking, store: store)
        let items = (0..<2500).map { Revenue("player-\($0 % 1100)", amount: 1, currency: "USD") }
        let results = try await engine.updateRevenueMany(items)
        #expect(codes(results).allSatisfy { $0 == 0 })
        #expect(store.counts.withLock { $0 } == [1024, 1024, 76, 76])
        #expect(try await total(engine, "player-0") == "3")
        #expect(try await total(engine, "player-1099") == "2")
    }

    /// Under one id an amount counts once, whatever its kind, also where an event was counted under it before.
    @Test func anAmountCountsOnceUnderTheIDOfAnEvent() async throws {
        let answer = Array(#"{"status":"ok","conversion_value":1}"#.utf8)
        for store in [MemoryStore(), HostStore()] as [any Store] {
            let engine = try Engine(.asking, store: store, transport: { _ in answer })
            try await engine.register("a")
            let pairs: [(id: String, kinds: [RevenueKind])] = [
                ("1", [.iap, .iap]), ("2", [.iap, .ad]), ("3", [.ad, .iap]),
            ]
            for (id, kinds) in pairs {
                try await engine.updateConversionValues("a", Event("level", eventID: id))
                let items = kinds.map { Revenue("a", amount: 1, currency: "USD", kind: $0, eventID: id) }
                #expect(codes(try await engine.updateRevenueMany(items)) == [0, 2], "\(kinds)")
            }
        }
    }

    @Test func nothingIsSavedWhereNothingChanges() async throws {
        let store = ManyStore()
        let engine = try Engine(.asking, store: store)
        let items = [
            Revenue("a", amount: 5, currency: "USD", eventID: "x"), Revenue("b", amount: 0, currency: "USD"),
            Revenue("a", amount: 5, currency: "USD", eventID: "x"), Revenue("b", amount: 0, currency: "USD"),
        ]
        for _ in 0..<2 { try await engine.updateRevenueMany(items) }
        #expect(store.counts.withLock { $0 } == [2, 1, 2])
        #expect(await store.base.load("b") == nil)
    }

    // MARK: Items

    @Test func whatIsNoNumberIsRefused() async throws {
        for amount in [Double.infinity, -.infinity, .nan] {
            let results = try await Engine(.asking).updateRevenueMany([
                Revenue("a", amount: amount, currency: "USD"), Revenue("a", amount: 3, currency: "USD"),
            ])
            #expect(codes(results) == [SKANError.Code.invalidArgument.rawValue, 0])
        }
    }

    @Test func tooManyItemsAreRefused() async throws {
        let engine = try Engine(.asking)
        let item = Revenue("a", amount: 1, currency: "USD")
        let error = await failure { try await engine.updateRevenueMany(Array(repeating: item, count: 65_537)) }
        #expect(error?.code == .limitExceeded)
        #expect(try await total(engine, "a") == nil)
        #expect(try await engine.updateRevenueMany(Array(repeating: item, count: 65_536)).count == 65_536)
        #expect(try await total(engine, "a") == "65536")
    }

    @Test func aClockThatFailsFailsTheCall() async throws {
        let engine = try Engine(.asking, clock: { throw Broken() })
        let error = await failure { try await engine.updateRevenueMany(mixed) }
        #expect(error?.code == .clock)
    }

    // MARK: Faults

    /// How a store that loads and saves many answers, what comes of each item, and the revenue of "a".
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var loads: @Sendable ([String], [ManyStore.Loaded]) throws -> [ManyStore.Loaded] = { $1 }
        /// The first save of the call; those after it work.
        var firstSave: @Sendable ([SaveRequest], [ManyStore.Saved]) throws -> [ManyStore.Saved] = { $1 }
        let codes: [Int32]
        let counts: [Int]
        var underlying: (any Error.Type)?
        var message: String?
    }

    /// Counted, with the repeated event id told once.
    private static let all: [Int32] = [0, 0, 2, 0]
    /// The codes if "b" alone is counted. A repeated event id of this call is counted only with the first.
    private static let others: [Int32] = [120, 0, 120, 120]
    private static let none: [Int32] = [120, 120, 120, 120]

    private static let faults = [
        Fault(
            testDescription: "the load of one fails",
            loads: { zip($0, $1).map { $0 == "a" ? .failure(Broken()) : $1 } }, codes: others, counts: [2, 1],
            underlying: Broken.self, message: "store.loadMany: threw Broken"),
        Fault(
            testDescription: "the save of one fails",
            firstSave: { zip($0, $1).map { $0.key == "a" ? .failure(StoreFailure("disk full")) : $1 } },
            codes: others, counts: [2, 2], underlying: StoreFailure.self),
        Fault(
            testDescription: "the saves' end is unknown", firstSave: { _, _ in throw Broken() }, codes: all,
            counts: [2, 2, 2]),
        Fault(
            testDescription: "others came before",
            firstSave: { zip($0, $1).map { $0.key == "b" ? .success(.conflict) : $1 } }, codes: all,
            counts: [2, 2, 1, 1]),
        Fault(
            testDescription: "fewer loads than keys", loads: { Array($1.dropLast()) }, codes: none, counts: [2]),
        Fault(
            testDescription: "more results than saves", firstSave: { $1 + $1 }, codes: all, counts: [2, 2, 2]),
        Fault(
            testDescription: "records without a version",
            loads: { $1.map { _ in .success(StoredRecord([1], version: 0)) } }, codes: none, counts: [2]),
        Fault(
            testDescription: "saved under the old version",
            firstSave: { saves, _ in saves.map { .success(.saved(version: $0.expected)) } }, codes: all,
            counts: [2, 2, 2]),
    ]

    @Test(arguments: faults, [false, true])
    func aFaultIsOfTheInstallThatItBefalls(_ fault: Fault, areStored: Bool) async throws {
        let isFirst = Atomic(true)
        let store = ManyStore(
            loads: fault.loads,
            saves: { saves, results in
                isFirst.exchange(false, ordering: .relaxed) ? try fault.firstSave(saves, results) : results
            })
        if areStored { for install in ["a", "b"] { try await Engine(.asking, store: store.base).register(install) } }
        let engine = try Engine(.asking, store: store)
        let results = try await engine.updateRevenueMany(mixed)
        #expect(codes(results) == fault.codes)
        #expect(store.counts.withLock { $0 } == fault.counts)
        if fault.codes == ManyTests.all { #expect(try await total(engine, "a") == "9") }
        guard case .failure(let error) = results[0] else { return }
        if let underlying = fault.underlying { #expect(error.underlying.map { type(of: $0) == underlying } == true) }
        if let message = fault.message { #expect(error.message == message) }
    }

    // MARK: Cancellation

    @Test func aCancelledCallThatChangedNothingThrowsCancellation() async throws {
        let store = ManyStore(loads: { _, _ in throw CancellationError() })
        let engine = try Engine(.asking, store: store)
        await #expect(throws: CancellationError.self) { try await engine.updateRevenueMany(mixed) }
        #expect(await store.base.load("a") == nil)
    }

    @Test func aCancelledCallThatChangedSomethingTellsWhat() async throws {
        let store = ManyStore(loads: { keys, results in
            zip(keys, results).map { $0 == "a" ? .failure(CancellationError()) : $1 }
        })
        let results = try await Engine(.asking, store: store).updateRevenueMany(mixed)
        #expect(codes(results) == [120, 0, 120, 120])
        guard case .failure(let error) = results[0] else { return }
        #expect(error.underlying is CancellationError)
    }
}

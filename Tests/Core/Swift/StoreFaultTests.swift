import SKAN
import Testing

/// The store contract: what becomes of a call when the store fails, conflicts, or cannot tell. What the rules make of
/// every sequence of such answers is in TransactionTests, here is what hooks answer and throw.
struct StoreFaultTests {
    private let store = ScriptedStore()
    private let engine: Engine
    /// Another process on the same store.
    private let other: Engine

    init() async throws {
        engine = try Engine(store: store)
        other = try Engine(store: store.base)
        try await engine.register("player-1")
    }

    private func total() async throws -> String? {
        try await other.details("player-1").iapRevenue["USD"]?.description
    }

    // MARK: Changes

    private static let loads: ScriptedStore.Load = { try await $0.load($1) }

    /// Applied, but the answer is that of a store that breaks the contract.
    private static func saveAnswers(_ result: SaveResult) -> ScriptedStore.Save {
        { base, key, record, expected in
            _ = try await base.save(key, record, expected: expected)
            return result
        }
    }

    /// What the store does, and the calls that it takes.
    struct Success: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let saves: [ScriptedStore.Save]
        let calls: ScriptedStore.Calls
    }

    @Test(arguments: [
        Success(
            testDescription: "a conflict: the rule runs again", saves: [ScriptedStore.saveConflicts],
            calls: .init(loads: 2, saves: 2)),
        Success(
            testDescription: "unknown, and applied after all", saves: [ScriptedStore.saveIsAppliedThenTimesOut],
            calls: .init(loads: 2, saves: 1)),
        Success(
            testDescription: "unknown, and lost twice", saves: [ScriptedStore.saveIsLost, ScriptedStore.saveIsLost],
            calls: .init(loads: 3, saves: 3)),
        Success(
            testDescription: "saved, under no version", saves: [saveAnswers(.saved(version: 0))],
            calls: .init(loads: 2, saves: 1)),
        // "player-1" has version 1 since its registration.
        Success(
            testDescription: "saved, under the old version", saves: [saveAnswers(.saved(version: 1))],
            calls: .init(loads: 2, saves: 1)),
    ])
    func aChangeThatComesToAnEndCountsOnce(_ what: Success) async throws {
        store.play(.init(saves: what.saves))
        try await engine.updateRevenue("player-1", amount: 1, currency: "USD")
        #expect(store.calls == what.calls)
        #expect(try await total() == "1")
    }

    /// What the store does, and the error of the call.
    struct Trouble: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var loads: [ScriptedStore.Load] = []
        var saves: [ScriptedStore.Save] = []
        let code: SKANError.Code
        var message: String?
        var underlying: (any Error.Type)?
        let calls: ScriptedStore.Calls
        var total: String?
    }

    @Test(arguments: [
        Trouble(
            testDescription: "the save fails", saves: [ScriptedStore.saveFails], code: .store,
            message: "store.save: failed: the disk is full", underlying: StoreFailure.self,
            calls: .init(loads: 1, saves: 1)),
        Trouble(
            testDescription: "the load fails", loads: [ScriptedStore.loadFails], code: .store,
            message: "store.load: threw TimeOut", underlying: TimeOut.self, calls: .init(loads: 1)),
        Trouble(
            testDescription: "a record without a version",
            loads: [{ StoredRecord(try await $0.load($1)?.bytes ?? [], version: 0) }], code: .store,
            message: "store.load: answered a record with version 0", calls: .init(loads: 1)),
        Trouble(
            testDescription: "a load that fails after an unknown save", loads: [loads, ScriptedStore.loadFails],
            saves: [ScriptedStore.saveIsAppliedThenTimesOut], code: .storeUnknown, underlying: TimeOut.self,
            calls: .init(loads: 2, saves: 1), total: "1"),
        Trouble(
            testDescription: "a save that fails after an unknown one",
            saves: [ScriptedStore.saveIsLost, ScriptedStore.saveFails], code: .storeUnknown,
            underlying: StoreFailure.self, calls: .init(loads: 2, saves: 2)),
        Trouble(
            testDescription: "100 conflicts", saves: .init(repeating: ScriptedStore.saveConflicts, count: 100),
            code: .storeConflict, calls: .init(loads: 100, saves: 100)),
    ])
    func aChangeThatDoesNotIsAnError(_ what: Trouble) async throws {
        store.play(.init(loads: what.loads, saves: what.saves))
        let error = await failure { try await engine.updateRevenue("player-1", amount: 1, currency: "USD") }
        #expect(error?.code == what.code)
        if let message = what.message { #expect(error?.message == message) }
        #expect(error?.underlying.map { type(of: $0) == what.underlying } ?? (what.underlying == nil))
        #expect(store.calls == what.calls)
        #expect(try await total() == what.total)
    }

    @Test func whatOthersWroteMeanwhileIsKept() async throws {
        let othersComeFirst: ScriptedStore.Save = { [other] base, key, record, expected in
            try await other.updateRevenue(key, amount: 10, currency: "USD")
            return try await base.save(key, record, expected: expected)
        }
        store.play(.init(saves: [othersComeFirst, othersComeFirst]))
        try await engine.updateRevenue("player-1", amount: 1, currency: "USD")
        #expect(try await total() == "21")
    }

    @Test func theUpdateOfASaveThatWasAppliedAfterAllIsGiven() async throws {
        store.play(.init(saves: [ScriptedStore.saveIsAppliedThenTimesOut]))
        let result = try await engine.register("player-2")
        #expect(result.outcome == .ok)
        #expect(result.update?.id == 1)
    }

    /// After a conflict only apply runs again, never the GET.
    @Test func theEndpointIsAskedOnce() async throws {
        let endpoint = Endpoint()
        let engine = try Engine(store: store, transport: endpoint.transport)
        store.play(.init(saves: [ScriptedStore.saveConflicts, ScriptedStore.saveIsLost]))
        #expect(try await engine.updateConversionValues("player-1").update?.fineValue == 1)
        #expect(endpoint.urls.count == 1)
        #expect(store.calls == .init(loads: 4, saves: 3))
    }

    // MARK: Records

    /// Every call that reads the record.
    private var calls: [() async throws -> Void] {
        [
            { try await engine.register("player-1") },
            { try await engine.updateRevenue("player-1", amount: 1, currency: "USD") },
            { _ = try await engine.details("player-1") },
            { _ = try await engine.metadata("player-1") },
            { _ = try await engine.pendingUpdate("player-1") },
            { _ = try await engine.conversionRequest("player-1") },
            { try await engine.acknowledgeUpdate("player-1", id: 1) },
            { try await engine.importDetails("player-1", Details()) },
        ]
    }

    @Test func aLoadThatFailsEndsEveryCall() async {
        for call in calls {
            store.play(.init(loads: [ScriptedStore.loadFails]))
            #expect(await failure(of: call)?.code == .store)
        }
    }

    private func expectRefused(_ code: SKANError.Code, _ bytes: [UInt8]) async throws {
        for call in calls { #expect(await failure(of: call)?.code == code) }
        #expect(try await store.base.load("player-1")?.bytes == bytes, "it is left as it is")
        try await engine.forget("player-1")
        #expect(try await store.base.load("player-1") == nil)
    }

    private static let changes: [(String, SKANError.Code, @Sendable (inout [UInt8]) -> Void)] = [
        ("damaged", .corruptRecord, { $0[$0.count / 2] ^= 1 }), ("cut", .corruptRecord, { $0.removeLast(100) }),
        ("empty", .corruptRecord, { $0.removeAll() }), ("of a newer libskan", .recordTooNew, { $0[0] = 255 }),
    ]

    @Test(arguments: changes)
    func aRecordThatIsNoneIsLeftAlone(
        _ what: String, _ code: SKANError.Code, _ change: @Sendable (inout [UInt8]) -> Void
    ) async throws {
        let host = try #require(store.base as? HostStore)
        var bytes = try #require(await host.load("player-1")).bytes
        change(&bytes)
        await host.put("player-1", bytes)
        try await expectRefused(code, bytes)
    }

    @Test func aRecordOfTheOtherProtocolIsMisuse() async throws {
        let skan3 = try Engine(Configuration(protocolVersion: .skan3), store: store.base)
        try await skan3.forget("player-1")
        try await skan3.register("player-1")
        let bytes = try #require(try await store.base.load("player-1")).bytes
        try await expectRefused(.misuse, bytes)
    }

    // MARK: Forgetting

    @Test func anInstallNeverHeardOfIsForgottenWithoutAWrite() async throws {
        store.play(.init())
        try await engine.forget("player-2")
        #expect(store.calls == .init(loads: 1))
    }

    @Test(
        arguments: [
            ([ScriptedStore.removeConflicts], nil), ([ScriptedStore.removeIsLost], nil),
            ([ScriptedStore.removeIsAppliedThenTimesOut], nil), ([ScriptedStore.removeFails], .store),
            ([ScriptedStore.removeIsLost, ScriptedStore.removeFails], .storeUnknown),
            (.init(repeating: ScriptedStore.removeConflicts, count: 100), .storeConflict),
        ] as [([ScriptedStore.Remove], SKANError.Code?)])
    func aRecordIsGoneWhereForgettingDoesNotFail(
        _ removes: [ScriptedStore.Remove], _ code: SKANError.Code?
    ) async throws {
        store.play(.init(removes: removes))
        do {
            try await engine.forget("player-1")
            #expect(code == nil)
        } catch let error as SKANError {
            #expect(error.code == code)
        }
        #expect((try await store.base.load("player-1") == nil) == (code == nil))
    }
}

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
        engine = try Engine(.asking, store: store)
        other = try Engine(.asking, store: store.base)
        try await engine.register("player-1")
    }

    private func total() async throws -> String? {
        try await other.details("player-1").iapRevenue["USD"]?.description
    }

    // MARK: Changes

    /// Applied, but the answer is that of a store that breaks the contract.
    private static func saveAnswers(_ result: SaveResult) -> ScriptedStore.Save {
        { base, key, record, expected in
            _ = try await base.save(key, record, expected: expected)
            return result
        }
    }

    /// What the store does, the error of the call if it ends in one, and the calls of the store.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var loads: [ScriptedStore.Load] = []
        var saves: [ScriptedStore.Save] = []
        var code: SKANError.Code?
        var message: String?
        var underlying: (any Error.Type)?
        let calls: ScriptedStore.Calls
    }

    @Test(arguments: [
        Case(
            testDescription: "a conflict: the rule runs again", saves: [ScriptedStore.saveConflicts],
            calls: .init(loads: 2, saves: 2)),
        Case(
            testDescription: "unknown, and applied after all", saves: [ScriptedStore.saveIsAppliedThenTimesOut],
            calls: .init(loads: 2, saves: 1)),
        Case(
            testDescription: "saved, under no version", saves: [saveAnswers(.saved(version: 0))],
            calls: .init(loads: 2, saves: 1)),
        // "player-1" has version 1 since its registration.
        Case(
            testDescription: "saved, under the old version", saves: [saveAnswers(.saved(version: 1))],
            calls: .init(loads: 2, saves: 1)),
        Case(
            testDescription: "the save fails", saves: [ScriptedStore.saveFails], code: .store,
            message: "store.save: failed: the disk is full", underlying: StoreFailure.self,
            calls: .init(loads: 1, saves: 1)),
        Case(
            testDescription: "the load fails", loads: [ScriptedStore.loadFails], code: .store,
            message: "store.load: threw TimeOut", underlying: TimeOut.self, calls: .init(loads: 1)),
        Case(
            testDescription: "a record without a version",
            loads: [{ StoredRecord(try await $0.load($1)?.bytes ?? [], version: 0) }], code: .store,
            message: "store.load: answered a record with version 0", calls: .init(loads: 1)),
        Case(
            testDescription: "a save that fails after an unknown one",
            saves: [ScriptedStore.saveIsLost, ScriptedStore.saveFails], code: .storeUnknown,
            underlying: StoreFailure.self, calls: .init(loads: 2, saves: 2)),
    ])
    func aChangeCountsOnceOrIsAnError(_ what: Case) async throws {
        store.play(.init(loads: what.loads, saves: what.saves))
        let purchase = { try await engine.updateRevenue("player-1", amount: 1, currency: "USD") }
        if let code = what.code {
            let error = await failure { _ = try await purchase() }
            #expect(error?.code == code)
            if let message = what.message { #expect(error?.message == message) }
            #expect(error?.underlying.map { type(of: $0) == what.underlying } ?? (what.underlying == nil))
        } else {
            #expect(try await purchase() == .ok)
        }
        #expect(store.calls == what.calls)
        #expect(try await total() == (what.code == nil ? "1" : nil))
    }

    /// After a conflict only apply runs again, never the GET.
    @Test func theEndpointIsAskedOnce() async throws {
        let endpoint = Endpoint()
        let engine = try Engine(.asking, store: store, transport: endpoint.transport)
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
            { _ = try await engine.pendingCalls("player-1") },
            { _ = try await engine.conversionRequest("player-1") },
            { try await engine.acknowledgeCalls("player-1", [(1, .delivered)]) },
            { try await engine.importDetails("player-1", Details()) },
        ]
    }

    @Test func aLoadThatFailsEndsEveryCall() async {
        for call in calls {
            store.play(.init(loads: [ScriptedStore.loadFails]))
            #expect(await failure(of: call)?.code == .store)
        }
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
        for call in calls { #expect(await failure(of: call)?.code == code) }
        #expect(try await store.base.load("player-1")?.bytes == bytes, "it is left as it is")
        try await engine.forget("player-1")
        #expect(try await store.base.load("player-1") == nil)
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

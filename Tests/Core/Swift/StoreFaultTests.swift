import SKAN
import Testing

/// The store contract: what becomes of a change when the store fails, conflicts, or cannot tell.
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

    private func total(_ currency: String = "USD") async throws -> String? {
        try await other.details("player-1").iapRevenue[currency]?.description
    }

    /// Adds one dollar while the store plays a script.
    private func addOne(_ script: ScriptedStore.Script) async throws {
        store.play(script)
        try await engine.updateRevenue("player-1", amount: 1, currency: "USD")
    }

    private func failureOfAddingOne(_ script: ScriptedStore.Script) async -> SKANError? {
        await failure { try await addOne(script) }
    }

    /// Loads after others have written so many times.
    private func loadAfterWrites(_ count: Int) -> ScriptedStore.Load {
        { [other] base, key in
            for _ in 0..<count { try await other.updateRevenue(key, amount: 1, currency: "EUR") }
            return try await base.load(key)
        }
    }

    // MARK: Conflicts

    @Test func aConflictRunsTheRuleAgainOnTheNewerRecord() async throws {
        try await addOne(.init(loads: [], saves: [ScriptedStore.saveConflicts]))
        #expect(store.calls == .init(loads: 2, saves: 2))
        #expect(try await total() == "1")
    }

    @Test func whatOthersWroteMeanwhileIsKept() async throws {
        let othersComeFirst: ScriptedStore.Save = { [other] base, key, record, expected in
            try await other.updateRevenue(key, amount: 10, currency: "USD")
            return try await base.save(key, record, expected: expected)
        }
        try await addOne(.init(saves: [othersComeFirst, othersComeFirst]))
        #expect(try await total() == "21")
    }

    @Test func after100ConflictsNothingWasApplied() async throws {
        let error = await failureOfAddingOne(.init(saves: .init(repeating: ScriptedStore.saveConflicts, count: 100)))
        #expect(error?.code == .storeConflict)
        #expect(store.calls == .init(loads: 100, saves: 100))
        #expect(try await total() == nil)
    }

    // MARK: Failures

    @Test func aFailedSaveWasNotApplied() async throws {
        let error = await failureOfAddingOne(.init(saves: [ScriptedStore.saveFails]))
        #expect(error?.code == .store)
        #expect(error?.message == "store.save: failed: the disk is full")
        #expect(error?.underlying is StoreFailure)
        #expect(store.calls == .init(loads: 1, saves: 1))
        #expect(try await total() == nil)
    }

    @Test func aFailedLoadEndsTheCall() async throws {
        let error = await failureOfAddingOne(.init(loads: [ScriptedStore.loadFails]))
        #expect(error?.code == .store)
        #expect(error?.message == "store.load: threw TimeOut")
        #expect(error?.underlying is TimeOut)
        #expect(store.calls == .init(loads: 1))
        for call in [failureOfDetails, failureOfMetadata] {
            store.play(.init(loads: [ScriptedStore.loadFails]))
            #expect(await call()?.code == .store)
        }
    }

    private func failureOfDetails() async -> SKANError? {
        await failure { _ = try await engine.details("player-1") }
    }

    private func failureOfMetadata() async -> SKANError? {
        await failure { _ = try await engine.metadata("player-1") }
    }

    // MARK: Unknown ends

    @Test func aSaveThatWasAppliedAfterAllCountsOnce() async throws {
        try await addOne(.init(saves: [ScriptedStore.saveIsAppliedThenTimesOut]))
        #expect(store.calls == .init(loads: 2, saves: 1))
        #expect(try await total() == "1")
    }

    @Test func aSaveThatWasLostIsMadeAgain() async throws {
        try await addOne(.init(saves: [ScriptedStore.saveIsLost, ScriptedStore.saveIsLost]))
        #expect(store.calls == .init(loads: 3, saves: 3))
        #expect(try await total() == "1")
    }

    @Test func theUpdateOfASaveThatWasAppliedAfterAllIsGiven() async throws {
        store.play(.init(saves: [ScriptedStore.saveIsAppliedThenTimesOut]))
        let result = try await engine.register("player-2")
        #expect(result.outcome == .ok)
        #expect(result.update?.id == 1)
    }

    @Test func aSaveThatIsAlwaysLostCannotBeTold() async throws {
        let error = await failureOfAddingOne(.init(saves: .init(repeating: ScriptedStore.saveIsLost, count: 100)))
        #expect(error?.code == .storeUnknown)
        #expect(error?.underlying is TimeOut)
        #expect(store.calls == .init(loads: 100, saves: 100))
        #expect(try await total() == nil)
    }

    /// The record names its last 8 writes.
    @Test(arguments: [1, 7])
    func anAppliedSaveIsFoundBehindOthersWrites(_ others: Int) async throws {
        try await addOne(
            .init(
                loads: [{ try await $0.load($1) }, loadAfterWrites(others)],
                saves: [ScriptedStore.saveIsAppliedThenTimesOut]))
        #expect(store.calls == .init(loads: 2, saves: 1))
        #expect(try await total() == "1")
        #expect(try await total("EUR") == "\(others)")
    }

    @Test func anAppliedSaveBehindEightOthersCannotBeTold() async throws {
        let error = await failureOfAddingOne(
            .init(
                loads: [{ try await $0.load($1) }, loadAfterWrites(8)], saves: [ScriptedStore.saveIsAppliedThenTimesOut]
            ))
        #expect(error?.code == .storeUnknown)
        #expect(try await total() == "1")
    }

    @Test(arguments: [1, 7])
    func aLostSaveIsMadeAgainWhereTheRecordStillNamesAllWrites(_ others: Int) async throws {
        try await addOne(
            .init(
                loads: [{ try await $0.load($1) }, loadAfterWrites(others)], saves: [ScriptedStore.saveIsLost]))
        #expect(store.calls == .init(loads: 2, saves: 2))
        #expect(try await total() == "1")
    }

    @Test func aLostSaveBehindEightOthersCannotBeTold() async throws {
        let error = await failureOfAddingOne(
            .init(loads: [{ try await $0.load($1) }, loadAfterWrites(8)], saves: [ScriptedStore.saveIsLost]))
        #expect(error?.code == .storeUnknown)
        #expect(try await total() == nil)
    }

    @Test(arguments: [ScriptedStore.saveIsLost, ScriptedStore.saveIsAppliedThenTimesOut])
    func ofAnInstallForgottenMeanwhileNothingCanBeTold(_ save: @escaping ScriptedStore.Save) async throws {
        let forgotten: ScriptedStore.Load = { [other] base, key in
            try await other.forget(key)
            return try await base.load(key)
        }
        let error = await failureOfAddingOne(.init(loads: [{ try await $0.load($1) }, forgotten], saves: [save]))
        #expect(error?.code == .storeUnknown)
        #expect(try await total() == nil)

        let madeAnew: ScriptedStore.Load = { [other] base, key in
            try await other.forget(key)
            try await other.register(key)
            return try await base.load(key)
        }
        try await engine.register("player-1")
        let again = await failureOfAddingOne(.init(loads: [{ try await $0.load($1) }, madeAnew], saves: [save]))
        #expect(again?.code == .storeUnknown)
        #expect(try await total() == nil)
    }

    @Test func aStoreThatFailsAfterAnUnknownSaveLeavesItUnknown() async throws {
        let error = await failureOfAddingOne(
            .init(
                loads: [{ try await $0.load($1) }, ScriptedStore.loadFails],
                saves: [ScriptedStore.saveIsAppliedThenTimesOut]))
        #expect(error?.code == .storeUnknown)
        #expect(try await total() == "1")
        let second = await failureOfAddingOne(.init(saves: [ScriptedStore.saveIsLost, ScriptedStore.saveFails]))
        #expect(second?.code == .storeUnknown)
        #expect(try await total() == "1")
    }

    /// The way out of an unknown end: the same call with the same event id.
    @Test func withAnEventIDTheCallIsSimplyMadeAgain() async throws {
        store.play(
            .init(
                loads: [{ try await $0.load($1) }, ScriptedStore.loadFails],
                saves: [ScriptedStore.saveIsAppliedThenTimesOut]))
        let error = await failure {
            try await engine.updateRevenue("player-1", amount: 1, currency: "USD", eventID: "order-1")
        }
        #expect(error?.code == .storeUnknown)
        let again = try await engine.updateRevenue("player-1", amount: 1, currency: "USD", eventID: "order-1")
        #expect(again == .duplicateEvent)
        #expect(try await total() == "1")
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

    // MARK: Stores that break the contract

    @Test(arguments: [SaveResult.saved(version: 0), .saved(version: 1)])
    func aSaveWithoutANewVersionMayHaveBeenApplied(_ result: SaveResult) async throws {
        // "player-1" has version 1 since its registration.
        try await addOne(
            .init(saves: [
                { base, key, record, expected in
                    _ = try await base.save(key, record, expected: expected)
                    return result
                }
            ]))
        #expect(store.calls == .init(loads: 2, saves: 1))
        #expect(try await total() == "1")
    }

    @Test func aRecordWithVersion0IsAFailure() async throws {
        let error = await failureOfAddingOne(
            .init(loads: [{ base, key in StoredRecord(try await base.load(key)?.bytes ?? [], version: 0) }]))
        #expect(error?.code == .store)
        #expect(error?.message == "store.load: answered a record with version 0")
    }

    // MARK: Records

    private func putChanged(_ change: (inout [UInt8]) -> Void) async throws -> [UInt8] {
        let host = try #require(store.base as? HostStore)
        var bytes = try #require(await host.load("player-1")).bytes
        change(&bytes)
        await host.put("player-1", bytes)
        return bytes
    }

    private func expectRefused(_ code: SKANError.Code, _ bytes: [UInt8]) async throws {
        let calls: [() async throws -> Void] = [
            { try await engine.register("player-1") },
            { try await engine.updateRevenue("player-1", amount: 1, currency: "USD") },
            { _ = try await engine.details("player-1") },
            { _ = try await engine.metadata("player-1") },
            { _ = try await engine.pendingUpdate("player-1") },
            { _ = try await engine.conversionRequest("player-1") },
            { try await engine.acknowledgeUpdate("player-1", id: 1) },
            { try await engine.importDetails("player-1", Details()) },
        ]
        for call in calls { #expect(await failure(of: call)?.code == code) }
        #expect(try await store.base.load("player-1")?.bytes == bytes, "it is left as it is")
        try await engine.forget("player-1")
        #expect(try await store.base.load("player-1") == nil)
    }

    @Test func aDamagedRecordIsNeverTrusted() async throws {
        let bytes = try await putChanged { $0[$0.count / 2] ^= 1 }
        try await expectRefused(.corruptRecord, bytes)
    }

    @Test func everyDamagedByteIsFound() async throws {
        let count = try #require(try await store.base.load("player-1")).bytes.count
        for index in 0..<count {
            _ = try await putChanged { $0[index] ^= 0x40 }
            let code = await failureOfDetails()?.code
            #expect(code == .corruptRecord || (index == 0 && code == .recordTooNew), "byte \(index)")
            _ = try await putChanged { $0[index] ^= 0x40 }
        }
        #expect(try await engine.details("player-1").fineValue == 0)
    }

    @Test(arguments: [0, 1, 8, 100])
    func aRecordThatWasCutIsDamaged(_ count: Int) async throws {
        let bytes = try await putChanged { $0.removeSubrange(count...) }
        try await expectRefused(.corruptRecord, bytes)
    }

    @Test func aRecordOfANewerLibskanIsLeftAlone() async throws {
        let bytes = try await putChanged { $0[0] = 255 }
        try await expectRefused(.recordTooNew, bytes)
    }

    @Test func aRecordOfTheOtherProtocolIsMisuse() async throws {
        let skan3 = try Engine(Configuration(protocolVersion: .skan3), store: store.base)
        try await skan3.forget("player-1")
        try await skan3.register("player-1")
        let bytes = try #require(try await store.base.load("player-1")).bytes
        try await expectRefused(.misuse, bytes)
    }

    // MARK: Forgetting

    private func forget(_ script: ScriptedStore.Script) async throws {
        store.play(script)
        try await engine.forget("player-1")
    }

    private func isGone() async throws -> Bool { try await store.base.load("player-1") == nil }

    @Test func anInstallNeverHeardOfIsForgottenWithoutAWrite() async throws {
        store.play(.init())
        try await engine.forget("player-2")
        #expect(store.calls == .init(loads: 1))
    }

    @Test func forgettingGoesOnAfterAConflict() async throws {
        try await forget(.init(removes: [ScriptedStore.removeConflicts]))
        #expect(store.calls == .init(loads: 2, removes: 2))
        #expect(try await isGone())
    }

    @Test func after100ConflictsNothingIsForgotten() async throws {
        let script = ScriptedStore.Script(removes: .init(repeating: ScriptedStore.removeConflicts, count: 100))
        let error = await failure { try await forget(script) }
        #expect(error?.code == .storeConflict)
        #expect(store.calls == .init(loads: 100, removes: 100))
        #expect(try await !isGone())
    }

    @Test func aFailedRemoveWasNotApplied() async throws {
        let error = await failure {
            try await forget(.init(removes: [ScriptedStore.removeFails]))
        }
        #expect(error?.code == .store)
        #expect(try await !isGone())
    }

    @Test(arguments: [ScriptedStore.removeIsLost, ScriptedStore.removeIsAppliedThenTimesOut])
    func aRemoveOfUnknownEndIsLookedAfter(_ remove: @escaping ScriptedStore.Remove) async throws {
        try await forget(.init(removes: [remove]))
        #expect(try await isGone())
    }

    @Test func aRemoveOfARecordThatChangedSinceCannotBeTold() async throws {
        let error = await failure {
            try await forget(
                .init(loads: [{ try await $0.load($1) }, loadAfterWrites(1)], removes: [ScriptedStore.removeIsLost]))
        }
        #expect(error?.code == .storeUnknown)
        #expect(try await !isGone())
    }
}

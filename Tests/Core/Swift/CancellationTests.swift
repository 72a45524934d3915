import SKAN
import Testing

/// A cancelled call throws `CancellationError` and has changed nothing; where that cannot be said, STORE_UNKNOWN.
struct CancellationTests {
    /// Makes a call and cancels its task once `hasBegun` says that it is under way.
    private func expectCancellation(
        _ hasBegun: AsyncStream<Void>, _ call: @escaping @Sendable () async throws -> Void
    ) async {
        let task = Task { try await call() }
        for await _ in hasBegun { break }
        task.cancel()
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
    }

    @Test func inTheTransportNothingWasApplied() async throws {
        let (hasBegun, begun) = AsyncStream.makeStream(of: Void.self)
        let engine = try Engine(.asking) { _ in
            begun.yield()
            try await Task.sleep(for: .seconds(60))
            return Array(#"{"conversion_value":1}"#.utf8)
        }
        try await engine.register("player-1")
        let before = try await engine.details("player-1")
        await expectCancellation(hasBegun) {
            try await engine.updateConversionValues("player-1", Event(eventID: "order-1"))
        }
        #expect(try await engine.details("player-1") == before)
    }

    @Test func anAnswerThatCameIsApplied() async throws {
        let engine = try Engine(.asking) { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            return Array(#"{"conversion_value":1}"#.utf8)
        }
        try await engine.register("player-1")
        let result = try await Task { try await engine.updateConversionValues("player-1") }.value
        #expect(result.update?.fineValue == 1)
    }

    @Test func inALoadNothingWasApplied() async throws {
        let (hasBegun, begun) = AsyncStream.makeStream(of: Void.self)
        let store = ScriptedStore(
            .init(loads: [
                { base, key in
                    begun.yield()
                    try await Task.sleep(for: .seconds(60))
                    return try await base.load(key)
                }
            ]))
        let engine = try Engine(.asking, store: store)
        await expectCancellation(hasBegun) { try await engine.register("player-1") }
        #expect(try await engine.details("player-1") == Details())
    }

    /// A save that was cancelled may have been applied: the engine looks for it, as far as the store lets it.
    @Test func inASaveTheEngineLooks() async throws {
        let cancelled: ScriptedStore.Save = { base, key, record, expected in
            _ = try await base.save(key, record, expected: expected)
            withUnsafeCurrentTask { $0?.cancel() }
            throw CancellationError()
        }
        let store = ScriptedStore(.init(saves: [cancelled]))
        let engine = try Engine(.asking, store: store)
        #expect(try await Task { try await engine.register("player-1").outcome }.value == .ok)
        #expect(store.calls.saves == 1)

        let refusesCancelledTasks: ScriptedStore.Load = { base, key in
            try Task.checkCancellation()
            return try await base.load(key)
        }
        store.play(.init(loads: [refusesCancelledTasks, refusesCancelledTasks], saves: [cancelled]))
        let result = await Task { try await engine.updateRevenue("player-1", amount: 1, currency: "USD") }.result
        let error = try #require(throws: SKANError.self) { try result.get() }
        #expect(error.code == .storeUnknown)
        #expect(error.underlying is CancellationError)
        #expect(try await engine.details("player-1").iapRevenue["USD"] == Amount(1))
    }

    @Test func betweenAttemptsNothingWasApplied() async throws {
        let (hasBegun, begun) = AsyncStream.makeStream(of: Void.self)
        let conflict: ScriptedStore.Save = { _, _, _, _ in
            begun.yield()
            return .conflict
        }
        let store = ScriptedStore(.init(saves: .init(repeating: conflict, count: 100)))
        let engine = try Engine(.asking, store: store)
        await expectCancellation(hasBegun) { try await engine.register("player-1") }
        #expect(store.calls.saves < 100)
        store.play(.init())
        #expect(try await engine.details("player-1") == Details())
    }

    @Test func whatDoesNotWaitIsNotCancelled() async throws {
        for store in [MemoryStore() as any Store, HostStore()] {
            let engine = try Engine(.asking, store: store)
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await engine.register("player-1").outcome
            }
            #expect(try await task.value == .ok)
        }
    }
}

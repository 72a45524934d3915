import Dispatch
import SKAN
import SKANCore
import SKANStoreThreads
import Synchronization
import Testing

/// What a store that waits says, as a store of Swift says it; and where its calls wait.
struct CompanionStoreTests {
    /// What they answer where they succeed is shown by the laws, in KitTests.
    @Test
    func callsSayWhatTheConnectionSaid() async throws {
        let hand = HandMadeStore()
        let store = try hand.companion()
        hand.failure.withLock { $0 = Failure(.store, "the disk is gone") }
        let load = await #expect(throws: StoreFailure.self) { try await store.load("key") }
        let save = await #expect(throws: StoreFailure.self) { try await store.save("key", [1], expected: 0) }
        #expect(load?.message == "the disk is gone")
        #expect(save?.message == "the disk is gone")
        hand.failure.withLock { $0 = Failure(.storeUnknown, "no answer came") }
        let unknown = await #expect(throws: SKANError.self) { try await store.remove("key", expected: 5) }
        #expect(unknown?.code == .storeUnknown)
        #expect(unknown?.message == "no answer came")
    }

    @Test
    func itemsOfManySayTheirOwn() async throws {
        let hand = HandMadeStore()
        let store = try hand.companion()
        hand.failure.withLock { $0 = Failure(.storeUnknown, "no answer came") }
        let ends = try await store.saveMany(["a", "b", "c"].map { SaveRequest($0, [1], expected: 0) })
        #expect(try ends[0].get() == .saved(version: 3))
        let unknown = #expect(throws: SKANError.self) { try ends[2].get() }
        #expect(unknown?.code == .storeUnknown)
        #expect(unknown?.message == "no answer came")
    }

    /// Far more calls wait than there are threads for tasks; the task that ends the wait runs all the same.
    @Test(.timeLimit(.minutes(5)))
    func tasksRunWhileCallsWait() async throws {
        let gate = DispatchSemaphore(value: 0)
        let hand = HandMadeStore { gate.wait() }
        let store = try hand.companion(threads: 64)
        try await withThrowingTaskGroup { group in
            for _ in 0..<64 { group.addTask { _ = try await store.load("key") } }
            while hand.calls.load(ordering: .sequentiallyConsistent) < 64 { await Task.yield() }
            for _ in 0..<64 { gate.signal() }
            try await group.waitForAll()
        }
        #expect(hand.calls.load(ordering: .sequentiallyConsistent) == 64)
    }

    @Test(.timeLimit(.minutes(5)))
    func aCancelledCallIsNotMade() async throws {
        let gate = DispatchSemaphore(value: 0)
        let hand = HandMadeStore { gate.wait() }
        let store = try hand.companion(threads: 1)
        let first = Task { try await store.load("key") }
        while hand.calls.load(ordering: .sequentiallyConsistent) < 1 { await Task.yield() }
        let queued = Task { try await store.save("key", [1], expected: 0) }
        queued.cancel()
        gate.signal()
        #expect(try await first.value == nil)
        let failure = await #expect(throws: StoreFailure.self) { try await queued.value }
        #expect(failure?.underlying is CancellationError)
        #expect(hand.calls.load(ordering: .sequentiallyConsistent) == 1)
    }

    @Test
    func anEnginesCancelledCallEndsWithCancellation() async throws {
        let hand = HandMadeStore()
        let engine = try Engine(.asking, store: try hand.companion())
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await engine.register("player-1")
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(hand.calls.load(ordering: .sequentiallyConsistent) == 0)
    }

    @Test(.timeLimit(.minutes(5)))
    func theStoreIsClosedOnce() async throws {
        let hand = HandMadeStore()
        var store: CompanionStore? = try hand.companion(threads: 3)
        await withTaskGroup { [store] group in
            for _ in 0..<20 { group.addTask { _ = try? await store?.load("key") } }
        }
        #expect(hand.ended.load(ordering: .sequentiallyConsistent) == 0)
        store = nil
        let opened = hand.opened.load(ordering: .sequentiallyConsistent)
        while hand.ended.load(ordering: .sequentiallyConsistent) < opened { await Task.yield() }
        #expect(hand.ended.load(ordering: .sequentiallyConsistent) == opened)
        // One that was never used has no thread yet.
        let unused = HandMadeStore()
        _ = try unused.companion()
        while unused.ended.load(ordering: .sequentiallyConsistent) == 0 { await Task.yield() }
    }

    @Test
    func whatCWouldCutIsRefused() async throws {
        let hand = HandMadeStore()
        let store = try hand.companion()
        await #expect(throws: StoreFailure.self) { try await store.load("a\0b") }
        await #expect(throws: StoreFailure.self) { try await store.loadMany(["a", "a\0b"]) }
        await #expect(throws: StoreFailure.self) { try await store.loadMany([]) }
        await #expect(throws: StoreFailure.self) { try await store.loadMany(Array(repeating: "a", count: 1025)) }
        #expect(hand.calls.load(ordering: .sequentiallyConsistent) == 0)
    }

    @Test
    func timesAreRoundedUp() throws {
        #expect(try Option.milliseconds(.nanoseconds(1), "timeout") == 1)
        #expect(try Option.milliseconds(.milliseconds(5), "timeout") == 5)
        #expect(try Option.milliseconds(.microseconds(1500), "timeout") == 2)
        #expect(try Option.milliseconds(.seconds(3600), "timeout") == 3_600_000)
    }
}

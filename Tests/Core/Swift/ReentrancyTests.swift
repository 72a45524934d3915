import SKAN
import Synchronization
import Testing

/// A hook that calls back into its own engine, from its task or a child of it, gets MISUSE there.
struct ReentrancyTests {
    /// Where a hook finds the engine that is made after it.
    private final class Place: Sendable {
        private struct Held: Sendable {
            weak var engine: Engine?
        }

        private let held = Mutex(Held())
        private let seen = Mutex<[SKANError.Code?]>([])

        func set(_ engine: Engine) { held.withLock { $0.engine = engine } }

        /// Calls the engine and keeps the error's code, nil for none.
        func call(_ installID: String = "player-1") async {
            guard let engine = held.withLock({ $0.engine }) else { return }
            do {
                _ = try await engine.details(installID)
                seen.withLock { $0.append(nil) }
            } catch let error as SKANError {
                seen.withLock { $0.append(error.code) }
            } catch {
                Issue.record(error)
            }
        }

        var codes: [SKANError.Code?] { seen.withLock { $0 } }
    }

    private let place = Place()

    @Test func fromAStore() async throws {
        let store = ScriptedStore()
        let engine = try Engine(store: store)
        place.set(engine)
        store.play(
            .init(
                loads: [
                    { [place] base, key in
                        await place.call()
                        return try await base.load(key)
                    }
                ],
                saves: [
                    { [place] base, key, record, expected in
                        await place.call()
                        return try await base.save(key, record, expected: expected)
                    }
                ],
                removes: [
                    { [place] base, key, expected in
                        await place.call()
                        return try await base.remove(key, expected: expected)
                    }
                ]))
        #expect(try await engine.register("player-1").outcome == .ok)
        try await engine.forget("player-1")
        #expect(place.codes == [.misuse, .misuse, .misuse])
        #expect(try await engine.details("player-1") == Details(), "behind its hooks the engine works as before")
    }

    @Test func fromATransport() async throws {
        let engine = try Engine { [place] _ in
            await place.call()
            return Array(#"{"conversion_value":1}"#.utf8)
        }
        place.set(engine)
        try await engine.register("player-1")
        #expect(try await engine.updateConversionValues("player-1").outcome == .ok)
        #expect(place.codes == [.misuse])
    }

    @Test func fromAChildTaskOfAHook() async throws {
        let engine = try Engine { [place] _ in
            async let call: Void = place.call()
            await call
            await withTaskGroup { group in group.addTask { await place.call() } }
            return []
        }
        place.set(engine)
        try await engine.register("player-1")
        try await engine.updateConversionValues("player-1")
        #expect(place.codes == [.misuse, .misuse])
    }

    @Test func aDetachedTaskIsNotTheHook() async throws {
        let engine = try Engine { [place] _ in
            await Task.detached { await place.call() }.value
            return []
        }
        place.set(engine)
        try await engine.register("player-1")
        try await engine.updateConversionValues("player-1")
        #expect(place.codes == [nil])
    }

    @Test func aTaskThatOutlivesTheHookIsNotInItAnyMore() async throws {
        let (begin, go) = AsyncStream.makeStream(of: Void.self)
        let late = Mutex<Task<Void, Never>?>(nil)
        let engine = try Engine { [place] _ in
            let task = Task {
                for await _ in begin { break }
                await place.call()
            }
            late.withLock { $0 = task }
            return []
        }
        place.set(engine)
        try await engine.register("player-1")
        try await engine.updateConversionValues("player-1")
        go.yield()
        await late.withLock { $0 }?.value
        #expect(place.codes == [nil])
    }

    @Test func anotherEngineIsFine() async throws {
        let other = try Engine(transport: Endpoint().transport)
        try await other.register("player-1")
        let engine = try Engine { [place] _ in
            await place.call()
            try await other.updateConversionValues("player-1")
            return []
        }
        place.set(other)
        try await engine.register("player-1")
        try await engine.updateConversionValues("player-1")
        #expect(place.codes == [nil])
        #expect(try await other.details("player-1").fineValue == 1)
    }

    /// A hook of another engine that is called from a hook is in both.
    @Test func aroundAnotherEngineTheFirstOneIsStillInItsHook() async throws {
        let inner = try Engine { [place] _ in
            await place.call()
            return []
        }
        try await inner.register("player-1")
        let outer = try Engine { _ in
            try await inner.updateConversionValues("player-1")
            return []
        }
        place.set(outer)
        try await outer.register("player-1")
        try await outer.updateConversionValues("player-1")
        #expect(place.codes == [.misuse])
    }

    @Test func argumentsAreCheckedFirst() async throws {
        let engine = try Engine { [place] _ in
            await place.call("")
            return []
        }
        place.set(engine)
        try await engine.register("player-1")
        try await engine.updateConversionValues("player-1")
        #expect(place.codes == [.invalidArgument])
    }
}

import SKAN
import Synchronization
import Testing

/// A hook that calls back into its own engine, from its task or a child of it, gets MISUSE there.
struct ReentrancyTests {
    /// A place in which a hook finds the engine that is made after it.
    private final class Place: Sendable {
        private struct Held: Sendable {
            weak var engine: Engine?
        }

        private let held = Mutex(Held())
        private let seen = Mutex<[SKANError.Code?]>([])

        func set(_ engine: Engine) { held.withLock { $0.engine = engine } }

        /// Calls the engine and keeps the error's code, nil for none.
        func call(
            _ call: @Sendable (Engine) async throws -> Void = { _ = try await $0.details("player-1") }
        ) async {
            guard let engine = held.withLock({ $0.engine }) else { return }
            do {
                try await call(engine)
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
        let load: ScriptedStore.Load = { [place] base, key in
            await place.call()
            return try await base.load(key)
        }
        let save: ScriptedStore.Save = { [place] base, key, record, expected in
            await place.call { try await $0.updateRevenueMany([]) }
            return try await base.save(key, record, expected: expected)
        }
        let remove: ScriptedStore.Remove = { [place] base, key, expected in
            await place.call()
            return try await base.remove(key, expected: expected)
        }
        let store = ScriptedStore(.init(loads: [load, load], saves: [save, save], removes: [remove]))
        let engine = try Engine(.asking, store: store)
        place.set(engine)
        #expect(try await engine.register("player-1").outcome == .ok)
        try await engine.updateRevenueMany([Revenue("player-1", amount: 1, currency: "USD")])
        try await engine.forget("player-1")
        #expect(place.codes == .init(repeating: .misuse, count: 5))
        #expect(try await engine.details("player-1") == Details(), "behind its hooks the engine works as before")
    }

    /// What the engine answers to calls of a transport.
    private func codes(ofCallsFrom hook: @escaping @Sendable (Place) async -> Void) async throws -> [SKANError.Code?] {
        let engine = try Engine(.asking) { [place] _ in
            await hook(place)
            return []
        }
        place.set(engine)
        try await engine.register("player-1")
        #expect(try await engine.updateConversionValues("player-1").outcome == .noNewValue)
        return place.codes
    }

    @Test func fromATransport() async throws {
        #expect(try await codes { await $0.call() } == [.misuse])
    }

    @Test func fromAChildTaskOfAHook() async throws {
        let codes = try await codes { place in
            async let call: Void = place.call()
            await call
            await withTaskGroup { group in group.addTask { await place.call() } }
        }
        #expect(codes == [.misuse, .misuse])
    }

    @Test func aDetachedTaskIsNotTheHook() async throws {
        #expect(try await codes { place in await Task.detached { await place.call() }.value } == [nil])
    }

    @Test func aTaskThatOutlivesTheHookIsNotInItAnyMore() async throws {
        let (begin, go) = AsyncStream.makeStream(of: Void.self)
        let late = Mutex<Task<Void, Never>?>(nil)
        let engine = try Engine(.asking) { [place] _ in
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

    @Test func argumentsAreCheckedFirst() async throws {
        #expect(try await codes { await $0.call { _ = try await $0.details("") } } == [.invalidArgument])
    }

    // MARK: Engines in engines

    /// Another engine may be called from a hook; its hooks then are in both.
    @Test func aroundAnotherEngineTheFirstOneIsStillInItsHook() async throws {
        let inner = try Engine(.asking) { [place] _ in
            await place.call()
            return []
        }
        try await inner.register("player-1")
        let outer = try Engine(.asking) { _ in
            try await inner.updateConversionValues("player-1")
            return []
        }
        place.set(outer)
        try await outer.register("player-1")
        try await outer.updateConversionValues("player-1")
        #expect(place.codes == [.misuse])
    }
}

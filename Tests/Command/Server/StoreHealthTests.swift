import CSKANSystem
import Testing

@testable import SKANCommandServer

struct StoreHealthTests {
    private func problem(of health: StoreHealth) -> String? { health.problem.map { "\($0)" } }

    /// Whether it holds within a minute, on a busy machine too.
    private func comes(_ holds: () -> Bool) -> Bool {
        for _ in 0..<6000 where !holds() { usleep(10_000) }
        return holds()
    }

    @Test func aReadThatHangsIsToldWhileItHangs() throws {
        let shelf = Shelf([:])
        let health = StoreHealth("shelf", try shelf.opened())
        #expect(problem(of: health) == nil)
        try #require(health.start())
        shelf.hangs.store(true, ordering: .sequentiallyConsistent)
        #expect(comes { problem(of: health) == "cannot be read" })
        shelf.hangs.store(false, ordering: .sequentiallyConsistent)
        #expect(comes { problem(of: health) == nil })
        health.stop()
    }

    @Test func aWriteThatFailedIsToldUntilOneIsFine() throws {
        let health = StoreHealth("shelf", try Shelf([:]).opened())
        health.wrote(false)
        #expect(problem(of: health) == "the last write failed")
        health.wrote(true)
        #expect(problem(of: health) == nil)
    }
}

import SKANCommandStores
import Testing

@testable import SKANCommandOutbox

@Suite("When an entry of the outbox is due")
struct OutboxSettingsTests {
    private let settings = OutboxSettings()
    private let now: Int64 = 1_700_000_000_000_000
    private let second: Int64 = 1_000_000

    private func due(_ later: Int64, attempts: Int64) -> Int64 {
        let entry = OutboxEntry(.waiting, attempts: attempts, created: now, due: now + later)
        return settings.due(of: entry, now: now) - now
    }

    @Test("the longest pause is doubled after each attempt, up to the longest of all")
    func longestPause() {
        #expect([0, 1, 2, 3].map { settings.longestPause(after: $0) } == [10_000, 10_000, 20_000, 40_000])
        #expect(
            [12, 13, 20, .max].map { settings.longestPause(after: $0) } == [
                20_480_000, 21_600_000, 21_600_000, 21_600_000,
            ])
    }

    @Test("an entry is due when it says so, as far as a worker's pause and lease reach, and a minute beyond")
    func withinReach() {
        // A pause of 10 s after the first attempt, a lease of 15 s, and a minute by which clocks may differ.
        for later in [-365 * 86_400 * second, -1, 0, 25 * second, 85 * second] {
            #expect(due(later, attempts: 1) == later)
        }
        #expect(due(21_675 * second, attempts: 20) == 21_675 * second)
    }

    @Test("a pause that the partner asked for counts, up to the longest of all")
    func asked() {
        func due(_ later: Int64, asked: Int64) -> Int64 {
            let entry = OutboxEntry(.waiting, attempts: 1, created: now, due: now + later, asked: asked)
            return settings.due(of: entry, now: now) - now
        }
        #expect(due(3675 * second, asked: 3600 * second) == 3675 * second)
        #expect(due(3675 * second + 1, asked: 3600 * second) == 0)
        #expect(due(21_675 * second, asked: .max) == 21_675 * second && due(21_675 * second + 1, asked: .max) == 0)
        #expect([-1, 0, 5, 21_600_000, .max].map { settings.asked($0) } == [0, 0, 5, 21_600_000, 21_600_000])
    }

    @Test("an entry that says later was written by a clock that was ahead: it is due at once")
    func beyondReach() {
        #expect(due(85 * second + 1, attempts: 1) == 0)
        #expect(due(21_675 * second + 1, attempts: 20) == 0)
        #expect(due(365 * 86_400 * second, attempts: 0) == 0)
        #expect(settings.due(of: OutboxEntry(.waiting, attempts: .max, created: 0, due: .max), now: now) == now)
    }
}

import SKANCommandStores
import Testing

@testable import SKANCommandOutbox

@Suite("An entry that a server cannot report")
struct UnreportableEntryTests {
    private let settings = OutboxSettings()
    private let now: Int64 = 1_700_000_000_000_000
    private let day: Int64 = 86_400 * 1_000_000

    private func course(due: Int64, attempts: Int64 = 0) -> UnreportableCourse {
        settings.course(
            ofUnreportable: OutboxEntry(.waiting, attempts: attempts, created: 1, due: due), now: now)
    }

    @Test("is left to other servers for a day after it was due, however old it is")
    func isLeft() {
        for due in [now, now - 1, now - day + 1, now + 10_000_000] { #expect(course(due: due) == .leave) }
    }

    @Test("is given up once no server has taken it for a day")
    func isGivenUp() {
        for due in [now - day, now - day - 1, 0] { #expect(course(due: due) == .giveUp) }
    }

    @Test("has its day from now if a clock that was ahead wrote it")
    func hasItsDay() {
        for due in [now + 365 * day, .max] { #expect(course(due: due) == .beginDay(now)) }
    }
}

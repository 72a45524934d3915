import SKANCore
import SKANEngine
import Testing

/// Rules, "Tickets": they order requests. Traces judge which answer is stale, and Tests/Trouble/Core/threads.c does not
/// see whether two threads get the same ticket. These tests alone judge the numbers: behind the clock and before 1970,
/// near 2⁶³, and those of threads that ask at once.
struct TicketsTests {
    private func next(_ tickets: borrowing Tickets, after newest: UInt64, now: Int64) -> Result<UInt64, Failure> {
        do throws(Failure) {
            return .success(try tickets.next(after: newest, now: now))
        } catch {
            return .failure(error)
        }
    }

    @Test func aTicketIsAboveAllEarlierOnesTheNewestAppliedAndTheClock() {
        var chance = Chance(31)
        let tickets = Tickets()
        var last: UInt64 = 0
        for _ in 0..<10_000 {
            let now = Int64(chance.number(-1_000_000...1_000_000))
            let newest = UInt64(chance.number(0...1_000_000))
            guard let ticket = next(tickets, after: newest, now: now).value else {
                Issue.record("no ticket after \(newest) at \(now)")
                return
            }
            expect(
                ticket > last && ticket > newest && Int64(ticket) >= now, "\(ticket) after \(last), \(newest), \(now)")
            last = ticket
        }
    }

    @Test func aTicketIsNever0() {
        let tickets = Tickets()
        #expect(next(tickets, after: 0, now: -5).value == 1)
        #expect(next(tickets, after: 0, now: 0).value == 2)
    }

    @Test func ticketsAreBelow2To63() {
        let most = UInt64(Int64.max)
        #expect(next(Tickets(), after: most - 1, now: 0).value == most)
        #expect(next(Tickets(), after: 0, now: .max).value == most)
        for newest in [most, most + 1, .max] {
            let tickets = Tickets()
            #expect(next(tickets, after: newest, now: 0).failedStatus == "SKAN_ERROR_CLOCK")
            // The failure costs nothing: other installs go on.
            #expect(next(tickets, after: 0, now: 0).value == 1)
        }
        let last = Tickets()
        #expect(next(last, after: most - 1, now: 0).value == most)
        #expect(next(last, after: 0, now: 0).failedStatus == "SKAN_ERROR_CLOCK")
    }

    private final class Box: Sendable {
        let tickets = Tickets()
    }

    @Test func threadsNeverGetTheSameTicket() async {
        let box = Box()
        let all = await withTaskGroup(of: [UInt64].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    (0..<5000).compactMap { _ in try? box.tickets.next(after: 0, now: 0) }
                }
            }
            return await group.reduce(into: [[UInt64]]()) { $0.append($1) }
        }
        for tickets in all { #expect(zip(tickets, tickets.dropFirst()).allSatisfy { $0 < $1 }) }
        #expect(Set(all.joined()) == Set(1...20_000))
    }
}

/// The hooks' clock counts microseconds, the rules count seconds. Clocks of other tests show whole seconds, fractions of
/// a second after 1970, or -1. These tests alone judge how a fraction before 1970 is rounded, and both ends of what
/// counts as a failure.
struct ClockTimeTests {
    @Test(
        arguments: [
            (0, 0), (1, 0), (999_999, 0), (1_000_000, 1), (1_643_393_464_999_999, 1_643_393_464), (-1_000_000, -1),
            (-1_000_001, -2),
            (-1_999_999, -2), (-2_000_000, -2), (Int64.max, 9_223_372_036_854), (Int64.min, -9_223_372_036_855),
        ] as [(Int64, Int64)])
    func secondsAreRoundedDown(microseconds: Int64, expected: Int64) {
        #expect(seconds(microseconds) == expected)
    }

    @Test func theSecondBefore1970AndTimesBeforeTheYear1AreFailures() {
        func isTime(_ microseconds: Int64) -> Bool {
            outcome { () throws(Failure) in try checkTime(microseconds) }.failedStatus == nil
        }
        for time in [0, 1, Int64.max, -1_000_000, -62_135_596_800_000_000] { #expect(isTime(time), "\(time)") }
        for time in [-1, -999_999, -62_135_596_800_000_001, Int64.min] { #expect(!isTime(time), "\(time)") }
        #expect(outcome { () throws(Failure) in try checkTime(-1) }.failedStatus == "SKAN_ERROR_CLOCK")
    }
}

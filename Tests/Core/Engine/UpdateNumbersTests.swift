import SKANCore
import SKANEngine
import Testing

/// Rules, "Update numbers": the vectors show lives within one second. These tests alone judge clocks that no number can
/// stand for, and what an engine remembers of the installs that it forgot.
struct UpdateNumbersTests {
    private static let latest = UInt64(1 << 53) - 1 << 32

    @Test(
        arguments: [
            (1_700_000_000_000_001, 1_700_000_000_000_001), (0, 0), (-5_000_000, 0), (.min, 0), (1 << 53, latest),
            (.max, latest),
        ] as [(Int64, UInt64)])
    func theyBeginWithTheClock(now: Int64, start: UInt64) { #expect(UpdateNumbers().start(at: now) == start) }

    @Test func theyBeginAboveThoseThatWereForgotten() {
        let numbers = UpdateNumbers()
        numbers.forget(upTo: 1000)
        numbers.forget(upTo: 7)
        #expect(numbers.start(at: 999) == 1000)
        #expect(numbers.start(at: 1001) == 1001)
        // No engine gives such a number.
        numbers.forget(upTo: 1 << 53)
        numbers.forget(upTo: .max)
        #expect(numbers.start(at: 999) == 1000)
    }

    /// A record that cannot be read is forgotten, too.
    @Test func theLastNumberOfARecordIsRead() {
        var state = InstallState(.skan3)
        state.conversion.olderNumber = 7
        func number(_ record: [UInt8]) -> UInt64 {
            record.withUnsafeBytes { InstallState.lastUpdateNumber(of: $0, isOwn: false) }
        }
        #expect(number(Record.bytes(state)) == 7)
        #expect(number([1, 2, 3]) == 0)
    }
}

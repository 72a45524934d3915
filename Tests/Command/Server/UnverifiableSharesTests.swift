import SKANPostbackReceiving
import Testing

@testable import SKANCommandServer

private let day: Int64 = 86_400_000_000

@Suite struct UnverifiableSharesTests {
    private let one = Self.address("192.0.2.1")
    private let other = Self.address("192.0.2.2")
    private let shares = UnverifiableShares(RefusedBudget(bytes: 1600))

    private static func address(_ text: String) -> ClientAddress {
        Array(text.utf8).withUnsafeBytes { ClientAddress($0) } ?? .nobody
    }

    /// How many of twenty postbacks of ten bytes a client has kept.
    private func kept(of client: ClientAddress, at now: Int64) -> Int {
        (0..<20).count { _ in shares.take(client, 10, at: now) != nil }
    }

    @Test func oneClientHasASixteenthOfTheBytesOnADay() {
        #expect(kept(of: one, at: day - 1) == 10)
        #expect(shares.take(other, 10, at: day - 1) == .rare)
        #expect(shares.take(one, 10, at: day) != nil)
        // A clock that is set back by less than a day begins nothing anew, one that is set back by more does.
        #expect(kept(of: one, at: day - 1) == 9)
        #expect(shares.take(one, 10, at: 40 * day) != nil)
        #expect(kept(of: one, at: day) == 10)
    }

    /// Where a sixteenth is less than one postback, each client has the first one kept.
    @Test func theFirstOfADayIsKept() {
        #expect(shares.take(one, 101, at: 0) == .rare)
        #expect(shares.take(one, 1, at: 0) == nil)
        #expect(shares.take(other, 1, at: 0) == .rare)
        #expect(shares.take(other, 100, at: 0) == nil)
        #expect(shares.take(other, 99, at: 0) == .rare)
    }

    @Test func aClientIsARareSenderFourTimesADay() {
        let senders = (0..<6).map { shares.take(one, 10, at: $0 * 3_600_000_000) }
        #expect(senders == [.rare, .rare, .rare, .rare, .frequent, .frequent])
        #expect(shares.take(other, 10, at: day - 1) == .rare)
        #expect(shares.take(one, 10, at: day - 1) == .frequent)
        #expect(shares.take(one, 10, at: day) == .rare)
    }
}

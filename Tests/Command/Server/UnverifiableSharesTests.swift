import SKANPostbackReceiving
import Testing

@testable import SKANCommandServer

private let hour: Int64 = 3_600_000_000

@Suite struct UnverifiableSharesTests {
    private let one = Self.address("192.0.2.1")
    private let other = Self.address("192.0.2.2")

    private static func address(_ text: String) -> ClientAddress {
        Array(text.utf8).withUnsafeBytes { ClientAddress($0) } ?? .nobody
    }

    private func shares(perHour: UInt64) -> UnverifiableShares {
        var limits = RefusedLimits()
        limits.perHour = perHour
        return UnverifiableShares(RefusedBudget(limits))
    }

    @Test func oneClientHasASixteenthOfAnHour() {
        let shares = shares(perHour: 160)
        #expect((0..<20).count { _ in shares.take(one, at: hour - 1) != nil } == 10)
        #expect(shares.take(other, at: hour - 1) == .rare)
        #expect(shares.take(one, at: hour) != nil)
        // A clock that is set back by less than an hour begins nothing anew, one that is set back by more does.
        #expect((0..<20).count { _ in shares.take(one, at: hour - 1) != nil } == 9)
        #expect(shares.take(one, at: 40 * hour) != nil)
        #expect(shares.take(one, at: hour) != nil)
    }

    @Test func aClientIsARareSenderFourTimesADay() {
        let shares = shares(perHour: 160)
        let senders = (0..<6).map { shares.take(one, at: $0 * hour) }
        #expect(senders == [.rare, .rare, .rare, .rare, .frequent, .frequent])
        #expect(shares.take(other, at: 6 * hour) == .rare)
        #expect(shares.take(one, at: 23 * hour) == .frequent)
        #expect(shares.take(one, at: 24 * hour) == .rare)
    }
}

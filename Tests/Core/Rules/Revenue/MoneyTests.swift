import SKANCore
import Testing

/// Rules, "Money is exact": a double is its shortest decimal form, rounded half-even to 12 places. The amounts of
/// vectors are few. These tests alone compare doubles of every size with their decimal form, and judge halves at the
/// 12th place, doubles that are no amount, and totals at the limit below 0.
struct MoneyTests {
    /// The way the rule is written: the shortest decimal text that reads back as the same double, then rounded.
    private func byDescription(_ amount: Double) -> Money? {
        amount.description.withBytes { Money(decimal: $0) }
    }

    @Test func hundredthsAreWhatTheySay() {
        var chance = Chance(1)
        let few = Array(0...100_000)
        let many = (0..<100_000).map { _ in chance.number(0...99_999_999_999_999) }
        for hundredths in few + many {
            let units = Int128(hundredths) * 10_000_000_000
            let amount = Double(hundredths) / 100
            expect(Money(exactly: amount)?.units == units, "\(hundredths) hundredths")
            expect(Money(exactly: -amount)?.units == -units, "-\(hundredths) hundredths")
        }
    }

    @Test func everyDoubleIsReadAsItsDescription() {
        var chance = Chance(3)
        for _ in 0..<200_000 {
            // Any sign, any fraction, 2⁻⁶⁴ to 2³⁹.
            let bits = chance.next() & 0x800F_FFFF_FFFF_FFFF | UInt64(chance.number(1023 - 64...1023 + 38)) << 52
            let amount = Double(bitPattern: bits)
            expect(Money(exactly: amount) == byDescription(amount), "\(amount)")
        }
    }

    @Test func anyDigitsAtAnyPlaceAreReadAsTheirDescription() {
        var chance = Chance(4)
        for _ in 0..<30_000 {
            let digits = chance.number(1...17)
            let limit = (0..<digits).reduce(1) { limit, _ in limit * 10 }
            let whole = Double(chance.number(0...limit - 1))
            for amount in [whole, whole / 1e3, whole / 1e7, whole / 1e11, whole.nextUp, whole / 100 + 1e-6] {
                guard amount < 1e12 else { continue }
                expect(Money(exactly: amount) == byDescription(amount), "\(amount)")
            }
        }
    }

    @Test(arguments: [
        (0.0, 0), (-0.0, 0), (1e-13, 0), (4.9e-13, 0), (5e-13, 0), (5.1e-13, 1), (1.5e-12, 2), (2.5e-12, 2),
        (2.5000000000001e-12, 3), (3.5e-12, 4), (-5e-13, 0), (-1.5e-12, -2), (-2.5e-12, -2), (-2.6e-12, -3),
        (.leastNonzeroMagnitude, 0), (0.1, 100_000_000_000), (0.3, 300_000_000_000), (0.1 + 0.2, 300_000_000_000),
        (123_456.123_456_789, 123_456_123_456_789_000),
    ])
    func halvesGoToTheEvenNeighbour(amount: Double, units: Int) {
        #expect(Money(exactly: amount)?.units == Int128(units))
    }

    @Test func onlyFiniteAmountsBelow1e12AreMoney() {
        // 999999999999.9999
        #expect(Money(exactly: (1e12).nextDown)?.units == Int128(9_999_999_999_999_999) * 100_000_000)
        #expect(Money(exactly: -(1e12).nextDown) == byDescription(-(1e12).nextDown))
        for amount in [1e12, -1e12, 1e300, .infinity, -.infinity, .nan, .signalingNaN, .greatestFiniteMagnitude] {
            #expect(Money(exactly: amount) == nil, "\(amount)")
        }
    }

    @Test func totalsStayBelow1e18() {
        let most = Money(units: Money.limit - 1)
        let one = Money(units: 1)
        #expect(most.isWithinLimit)
        #expect(most.adding(one) == nil)
        #expect(most.adding(.zero) == most)
        #expect(Money(units: 1 - Money.limit).adding(Money(units: -1)) == nil)
        #expect(most.adding(Money(units: 1 - Money.limit)) == .zero)
        #expect(!Money(units: Money.limit).isWithinLimit)
        #expect(!Money(units: -Money.limit).isWithinLimit)
    }
}

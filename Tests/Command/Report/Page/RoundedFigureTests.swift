import SKANCore
import Testing

@testable import SKANCommandReport
@testable import SKANTruth

/// Estimates are rounded to the largest power of ten that is no more than a tenth of their interval's width.
struct RoundedFigureTests {
    private func text(_ estimate: Double, _ low: Double, _ high: Double, _ unit: FigureUnit = .amount) -> String? {
        BroughtFigure(estimate, (low, high)).rounded(unit).map { String(decoding: $0.text.utf8, as: UTF8.self) }
    }

    @Test func anEstimateHasNoDigitsThatItsIntervalDoesNotAllow() {
        #expect(text(5_940.37, 5_312.5, 6_612.4) == "5,900 (5,300 to 6,600)")
        #expect(text(594.037, 531.25, 661.24) == "590 (530 to 660)")
        #expect(text(0.5940, 0.5312, 0.6612) == "0.59 (0.53 to 0.66)")
        #expect(text(3, 0, 50) == "3 (0 to 50)")
    }

    @Test func fromTenThousandOnThousandsAreShortened() {
        #expect(text(12_448, 11_100, 13_900) == "12.4k (11.1k to 13.9k)")
        #expect(text(12_448, 5_000, 25_000) == "12k (5k to 25k)")
        // Its digits are known to the unit.
        #expect(text(12_448, 12_440, 12_456) == "12,448 (12,440 to 12,456)")
        #expect(text(12_448_000, 11_100_000, 13_900_000) == "12.4M (11.1M to 13.9M)")
    }

    @Test func sharesArePercentsWithOneDecimalPlaceAtMost() {
        #expect(text(0.4772, 0.4270, 0.5333, .share) == "48% (43% to 53%)")
        #expect(text(0.47724, 0.47721, 0.47729, .share) == "47.7% (47.7% to 47.7%)")
        #expect(text(3.5, 2.4, 4.4, .share) == "350% (240% to 440%)")
    }

    @Test func anIntervalWithoutWidthKeepsCents() {
        #expect(text(12.344, 12.344, 12.344) == "12.34 (12.34 to 12.34)")
        #expect(text(0, 0, 0) == "0.00 (0.00 to 0.00)")
    }

    @Test func refundsAreNegative() {
        #expect(text(-2, -40, 10) == "-2 (-40 to 10)")
        #expect(text(-0.2, -40, 10) == "0 (-40 to 10)")
    }

    @Test func whatIsTooLargeIsNotShown() {
        #expect(text(.infinity, 0, .infinity) == nil)
        #expect(text(1e300, 0, 1e300) == nil)
    }
}

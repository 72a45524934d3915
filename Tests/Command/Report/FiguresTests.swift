import SKANCore
import Testing

@testable import SKANCommandReport
@testable import SKANCommandRows
@testable import SKANTruth

@Test func whatHasNoKnownValueHasNoRevenue() {
    let figures = Figures(LineCounts(), .installs)
    #expect(figures.least == nil && figures.most == nil && figures.estimate == nil && !figures.isPartial)
    let share = ReportFigure.hiddenShare.value(ReportLine(level: .total), figures)
    #expect(share?.readable == nil && share?.exact == nil)
}

@Test func theShareOfHiddenValuesIsThatOfInstallsNotOfLaterWindows() {
    var counts = LineCounts()
    counts[.installs, .first].conversions[.install] = 49
    counts[.installs, .first].conversions[.redownload] = 1
    counts[.installs, .first].carried.hidden = 1
    for window in [Window.second, .third] {
        counts[.installs, window].conversions[.install] = 30
        counts[.installs, window].carried.hidden = window == .third ? 6 : 0
    }
    func share(_ window: Window?) -> String? {
        ReportFigure.hiddenShare.value(ReportLine(level: .total), Figures(counts, .installs, in: window))?.exact
            .map { String(decoding: $0.utf8, as: UTF8.self) }
    }
    #expect(share(nil) == "0.0200" && share(.first) == "0.0200")
    #expect(share(.second) == "0.0000" && share(.third) == "0.2000")
}

@Test func aTotalThatLeavesTheRangeIsTold() {
    var sum = LineCounts()
    var more = LineCounts()
    more.cost = Money(units: Money.mostReported)
    #expect(sum.add(more) && !sum.add(more) && sum.cost == more.cost)
}

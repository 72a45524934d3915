import SKANCore
import Testing

@testable import SKANCommandReport

@Test func whatHasNoKnownValueHasNoRevenue() {
    let figures = Figures(LineCounts(), .installs)
    #expect(figures.least == nil && figures.most == nil && figures.estimate == nil && !figures.isPartial)
    let share = ReportFigure.hiddenShare.value(ReportLine(level: .total), figures)
    #expect(share?.readable == nil && share?.exact == nil)
}

@Test func aTotalThatLeavesTheRangeIsTold() {
    var sum = LineCounts()
    var more = LineCounts()
    more.cost = Money(units: Money.mostReported)
    #expect(sum.add(more) && !sum.add(more) && sum.cost == more.cost)
}

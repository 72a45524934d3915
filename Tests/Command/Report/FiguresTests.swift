import SKANCore
import Testing

@testable import SKANCommandReport

private func counts(_ change: (inout WindowCounts) -> Void) -> WindowCounts {
    var counts = WindowCounts()
    change(&counts)
    return counts
}

private func money(_ whole: Int128) -> Money { Money(units: whole * Money.scale) }

@Test func hiddenValuesCountAsTheMeanOfKnownOnes() {
    var line = LineCounts()
    line[.installs, .first] = counts {
        $0.conversions[.install] = 4
        ($0.fine, $0.hidden, $0.priced) = (2, 2, 2)
        ($0.least, $0.most, $0.twiceMiddle) = (money(10), money(20), money(30))
    }
    line[.installs, .second] = counts { $0.conversions[.install] = 1 }
    let figures = Figures(line, .installs)
    #expect(figures.winning == 5 && figures.conversions[.install] == 4)
    #expect(figures.least == money(10) && figures.mostOfAll == money(20) && figures.estimate == money(30))
    #expect(figures.isPartial && !Figures(line, .installs, .first).isPartial)
    #expect(figures.hiddenShare(places: 4)?.utf8 == [UInt8]("0.4000".utf8))
}

@Test func whatHasNoKnownValueHasNoRevenue() {
    let figures = Figures(LineCounts(), .installs)
    #expect(figures.least == nil && figures.most == nil && figures.estimate == nil && !figures.isPartial)
    #expect(figures.hiddenPercent == nil)
}

@Test func anUpperLimitThatIsMissingLeavesTheSumOpen() {
    var line = LineCounts()
    line[.installs, .first] = counts {
        $0.conversions[.install] = 1
        ($0.priced, $0.open) = (1, 1)
    }
    #expect(Figures(line, .installs).most == .zero && Figures(line, .installs).mostOfAll == nil)
}

@Test func reengagementsAreInNoFigureOfInstalls() {
    var line = LineCounts()
    line[.reengagements, .first] = counts {
        $0.conversions[.reengagement] = 3
        $0.lost = 1
    }
    let figures = Figures(line, .installs)
    #expect(figures.winning == 0 && figures.lost == 0 && figures.conversions[.reengagement] == 3)
    #expect(Figures(line, .reengagements).winning == 3 && line.hasReengagements)
}

@Test func costsAreComparedWithInstallsOfCampaignsThatHaveThem() {
    var line = ReportLine(level: .campaign)
    line.counts[.installs, .first] = counts { $0.conversions[.install] = 4 }
    #expect(line.costPerInstall(places: 2) == nil && !line.isCostPartial)
    line.counts.cost = money(10)
    line.paid = line.counts
    #expect(line.costPerInstall(places: 2)?.utf8 == [UInt8]("2.50".utf8) && !line.isCostPartial)
    #expect(line.returnOnAdSpendAtLeast(places: 2) == nil)
    line.counts[.installs, .second] = counts { $0.conversions[.install] = 1 }
    #expect(line.isCostPartial)
}

@Test func aTotalThatLeavesTheRangeIsTold() {
    var sum = LineCounts()
    var more = LineCounts()
    more.cost = Money(units: Money.mostReported)
    #expect(sum.add(more) && !sum.add(more) && sum.cost == more.cost)
}

import SKANCore
import SKANPostbackReceiving
import SKANPostbackVerification
import Testing

@testable import SKANCommandReport
@testable import SKANCommandRows
@testable import SKANTruth

private let day: Int64 = 86_400

private func observed(
    _ network: String? = "n", _ identifier: String = "39", _ conversion: AdConversion = .install,
    window: Window = .first, isWinning: Bool = true, fine: Int? = nil, coarse: Int? = nil, received: Int64 = 0
) -> ObservedPostback {
    ObservedPostback(
        outcome: .counted, result: .valid, window: window, conversion: conversion, isWinning: isWinning, fine: fine,
        coarse: coarse, decoding: .notDecoded, model: nil, network: network.map { [UInt8]($0.utf8) },
        identifier: CampaignIdentifier([UInt8](identifier.utf8)[...]), app: nil, received: received,
        dates: EstimatedDates(from: received - 4 * day, until: received - day, untilUnlocked: received - 3 * day))
}

private func tally(_ postbacks: [ObservedPostback], _ campaigns: Campaigns = .none) -> Tally {
    var tally = Tally()
    for observed in postbacks { tally.add(observed, RevenueModels(), campaigns) }
    tally.add(CountedCosts(campaigns), campaigns)
    tally.end()
    return tally
}

private func row(_ network: String, _ identifier: String, _ adSet: String = "", cost: Int128? = nil) -> CampaignRow {
    CampaignRow(
        network: [UInt8](network.utf8), identifier: CampaignIdentifier([UInt8](identifier.utf8)[...]),
        campaign: [UInt8]("Name".utf8), adSet: [UInt8](adSet.utf8), cost: cost.map { Money(units: $0 * Money.scale) },
        line: 1)
}

private func titles(_ lines: ReportLines) -> [String] { lines.lines.map { String(decoding: $0.title, as: UTF8.self) } }

@Test func linesStandByNetworkCampaignAndAdSet() {
    let campaigns = Campaigns([row("n", "39"), row("n", "239", "Set"), row("m", "40", cost: 5)])
    let counted = tally(["5239", "39", "41"].map { observed("n", $0) } + [observed(nil, "")], campaigns)
    let lines = ReportLines(counted, campaigns)
    #expect(
        titles(lines) == [
            "all", "no network", "no campaign", "m", "Name (40)", "n", "Name (39)", "39", "Set (239)", "41",
        ])
    #expect(lines.lines[0].counts.cost == Money(units: 5 * Money.scale) && !lines.isFull)
    #expect(lines.lines[0].isCostPartial && !lines.lines[3].isCostPartial)
}

@Test func whatAnotherNetworkWonIsCountedApart() {
    let counts = ReportLines(tally([observed(), observed(isWinning: false, fine: 3)]), .none).lines[0].counts
    #expect(counts[.installs, .first].winning == 1 && counts[.installs, .first].lost == 1)
    #expect(counts[.installs, .first].carried.hidden == 1 && counts[.installs, .first].carried.fine == 0)
}

@Test func installsOfWindowZeroAloneHaveADay() {
    let counted = tally([
        observed(received: 2 * day), observed(received: 5), observed(received: -5), observed(received: 2 * day + 9),
        observed("n", "39", .redownload), observed(window: .second), observed("n", "39", .reengagement),
    ])
    #expect(counted.days.days.map(\.day) == [-1, 0, 2] && counted.days.days.map(\.installs) == [1, 1, 2])
    #expect(counted.counted == 7 && counted.arrived?.first == -5 && counted.arrived?.last == 2 * day + 9)
    let dates = ReportLines(counted, .none).lines[0].counts[dates: .installs]
    #expect(dates?.from == -5 - 4 * day && dates?.untilUnlocked == 9 - day && dates?.until == day + 9)
}

@Test func valuesAreCountedByWhatTheyTell() {
    let counted = tally([
        observed(fine: 63, coarse: 2), observed(coarse: 1), observed(), observed("n", "39", .reengagement, fine: 63),
    ])
    let values = counted[values: .installs]
    #expect(values.fine[63] == 1 && values.coarse[0][1] == 1 && values.coarse[0][2] == 0)
    #expect(values.unpriced[.notDecoded] == 2 && values.unpriced.reasons.sum == 2)
    #expect(counted[values: .reengagements].fine[63] == 1)
}

@Test func linesOfANetworkMayBeCountriesOrSourceApps() {
    let campaigns = Campaigns([row("n", "39", cost: 5)])
    func lines(_ dimension: ReportDimension) -> ReportLines {
        var tally = Tally(dimension)
        for (country, app) in [("DE", "7"), ("", ""), ("DE", "39")] {
            var observed = observed()
            (observed.country, observed.sourceApp) = ([UInt8](country.utf8), [UInt8](app.utf8))
            tally.add(observed, RevenueModels(), campaigns)
        }
        tally.add(CountedCosts(campaigns, by: dimension), campaigns)
        tally.end()
        return ReportLines(tally, campaigns, dimension)
    }
    #expect(titles(lines(.campaign)) == ["all", "n", "Name (39)"])
    #expect(titles(lines(.country)) == ["all", "n", "country not reported", "DE"])
    #expect(titles(lines(.sourceApp)) == ["all", "n", "source app not reported", "7", "39"])
    #expect(lines(.country).lines.map { $0.counts[.installs, .first].conversions[.install] } == [3, 3, 1, 2])
    #expect(lines(.campaign).lines[0].counts.cost != nil && lines(.country).lines[0].counts.cost == nil)
}

@Test func costsOfSeveralDaysAreThoseOfOneCampaign() {
    var rows = [row("n", "39", cost: 5), row("n", "39", cost: 7), row("n", "39")]
    for place in rows.indices { rows[place].day = Int64(place) }
    let campaigns = Campaigns(rows)
    let lines = ReportLines(tally([observed()], campaigns), campaigns)
    #expect(titles(lines) == ["all", "n", "Name (39)"])
    #expect(lines.lines[2].counts.cost == Money(units: 12 * Money.scale))
    #expect(lines.lines[2].counts[.installs, .first].winning == 1)
}

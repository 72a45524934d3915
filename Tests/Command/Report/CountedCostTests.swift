import SKANCore
import Testing

@testable import SKANCommandReport
@testable import SKANCommandRows
@testable import SKANTruth

private let second: Int64 = 1
private let hour = 3600 * second
private let day = 24 * hour

private func filter(from: Int64? = nil, to: Int64? = nil, network: String? = nil) -> ReportFilter {
    var filter = ReportFilter()
    (filter.from, filter.to, filter.network) = (from, to, network.map { [UInt8]($0.utf8) })
    return filter
}

/// The counted part of the first day's installs in a report that is made at some time.
private func part(
    _ filter: ReportFilter = filter(), madeAt: Int64 = .max, isBeforeSKAN4: Bool = false
) -> ReportedPart {
    ReportedPart(day: 0, isBeforeSKAN4: isBeforeSKAN4, filter, madeAt: madeAt)
}

private func money(_ hundredths: Int) -> Money { Money(units: Int128(hundredths) * Money.scale / 100) }

private func row(_ identifier: String, day: Int64?, _ cost: Int?, of network: String = "n") -> CampaignRow {
    var row = CampaignRow(
        network: [UInt8](network.utf8), identifier: CampaignIdentifier([UInt8](identifier.utf8)[...]), campaign: [],
        adSet: [], cost: cost.map(money), currency: nil, line: 2)
    row.day = day
    return row
}

@Test func aDaysInstallsReportThreeToFiveDaysAfterItBegan() {
    let whole = ReportedPart.whole
    // Installs of the first second report from 72 hours on, those of the last one until 120 hours.
    let counted = [72, 84, 96, 108, 120].map { part(madeAt: $0 * hour).counted }
    #expect(counted == [0, whole / 8, whole / 2, whole - whole / 8, whole])
    #expect(part(madeAt: 84 * hour).unreported == whole - whole / 8 && part(madeAt: 84 * hour).outside == 0)
    // Before SKAN 4 the window ends 24 hours after the first launch, and the postback follows within a day.
    #expect([24, 48, 72].map { part(madeAt: $0 * hour, isBeforeSKAN4: true).counted } == [0, whole / 2, whole])
}

@Test func theReportedPartIsThatOfInstallsWhosePostbacksArrived() {
    for hours: Int64 in [75, 80, 90, 97, 101, 113] {
        var arrived = 0.0
        for install in 0..<96 {
            for delay in 0..<96 where Double(72 * 4 + install + delay) + 1 < Double(hours * 4) { arrived += 1 }
        }
        let part = Double(part(madeAt: hours * hour).counted) / Double(ReportedPart.whole)
        #expect((part - arrived / 9216).magnitude < 0.01)
    }
}

@Test func aDaysCostIsDividedBetweenReportsWhoseTimesFollowEachOther() {
    let ends: [Int64?] = [nil, 80 * hour, 96 * hour, 97 * hour + 11, nil]
    let parts = zip(ends, ends.dropFirst()).map { part(filter(from: $0, to: $1)) }
    #expect(parts.reduce(0) { $0 + $1.counted } == ReportedPart.whole)
    #expect(parts.allSatisfy { $0.counted + $0.outside == ReportedPart.whole && $0.unreported == 0 })
    #expect(part(filter(from: 96 * hour), madeAt: 90 * hour).counted == 0)
    #expect(part(filter(from: 120 * hour)).counted == 0 && part(filter(to: 72 * hour)).counted == 0)
    #expect(part(filter(from: 110 * hour, to: 100 * hour)).counted == 0)
}

@Test func whatIsCountedAndWhatIsNotAddUpToTheCost() {
    for cost in [0, 1, 3, 99, 100_001] {
        for hours: Int64 in 70..<122 {
            let divided = part(filter(from: 95 * hour), madeAt: hours * hour).divided(money(cost))
            #expect(divided.counted.units + divided.outside.units + divided.unreported.units == money(cost).units)
            #expect(divided.counted.units % (Money.scale / 100) == 0)
        }
    }
    #expect(part(madeAt: 96 * hour).divided(money(101)).counted == money(50))
    let small = Money(units: 7)
    #expect(part().divided(small).counted == small)
}

@Test func whatReportsThatFollowEachOtherCountAddsUpToTheCost() {
    let ends: [Int64?] = [nil, 80 * hour, 96 * hour, 97 * hour + 11, nil]
    for cost in [1, 3, 10_003] {
        let parts = zip(ends, ends.dropFirst()).map { part(filter(from: $0, to: $1)) }
        let counted = parts.map { $0.divided(money(cost)).counted.units }
        #expect(counted.reduce(0, +) == money(cost).units)
        #expect(counted.allSatisfy { $0 >= 0 && $0 % (Money.scale / 100) == 0 })
    }
}

@Test func costsOfOtherTimesAndNetworksAreNotCounted() {
    let campaigns = Campaigns([
        row("39", day: 0, 100), row("39", day: 30, 200), row("39", day: 60, 400), row("40", day: nil, 800),
        row("39", day: 30, 1600, of: "o"), row("41", day: 30, nil),
    ])
    let costs = CountedCosts(campaigns, filter(from: 20 * day, to: 50 * day, network: "n"), madeAt: 61 * day)
    #expect(costs.counted == money(1000) && costs.withoutDate == money(800))
    #expect(costs.outside == money(100) && costs.unreported == money(400))
    #expect(costs.rows.map { $0.cost } == [nil, money(200), nil, money(800), nil])
    let all = CountedCosts(campaigns)
    #expect(all.counted == money(3100) && all.outside == nil && all.unreported == nil)
}

@Test func reportsByCountryHaveNoCosts() {
    let costs = CountedCosts(Campaigns([row("39", day: 0, 100)]), by: .country)
    #expect(costs.rows.isEmpty && costs.counted == nil && costs.areOfCampaignsAlone)
    #expect(!CountedCosts(Campaigns([row("39", day: nil, nil)]), by: .country).areOfCampaignsAlone)
}

@Test func aCampaignWithACostThatHasNoDateHasNoCostsOfWeeks() {
    let costs = CountedCosts(
        Campaigns([row("39", day: 0, 1), row("139", day: nil, 1), row("40", day: 0, 1), row("41", day: nil, 1)]))
    let dated = ["39", "40", "41"].map { costs.areDated([UInt8]("n".utf8), [UInt8]($0.utf8)[...]) }
    #expect(dated == [false, true, false])
}

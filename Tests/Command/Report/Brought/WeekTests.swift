import SKANCommandOutput
import SKANCore
import Testing

@testable import SKANCommandReport
@testable import SKANCommandRows
@testable import SKANTruth

/// A row of a campaign's cost on a day before the report.
private func row(_ identifier: String, days: Int64?, _ cost: Int, of network: String = "n") -> CampaignRow {
    var row = CampaignRow(
        network: [UInt8](network.utf8), identifier: CampaignIdentifier([UInt8](identifier.utf8)[...]), campaign: [],
        adSet: [], cost: Money(units: Int128(cost) * Money.scale), currency: nil, line: 2)
    // The report is made on a Thursday.
    row.day = days.map { 20_370 - $0 }
    return row
}

extension BroughtSpan {
    /// The return of the campaigns whose costs have dates, or the revenue of all.
    fileprivate func answer(_ horizon: Horizon, isReturn: Bool) -> BroughtAnswer? {
        isReturn ? brought.returnOnAdSpend(horizon, cost).map { .figure($0) } : brought[horizon]
    }
}

private func text(_ message: Message) -> String { String(decoding: message.utf8, as: UTF8.self) }

@Test func weeksOfInstallBeginOnMondays() throws {
    var app = try ConstructedApp()
    try app.addInstalls(40, days: 60, fine: 2, revenue: [2])
    // A Monday, the Sunday before it, and the same a week before.
    for (days, count) in [(45.0, 3), (46, 5), (52, 7), (53, 2)] { app.addPostbacks(count, days: days, fine: 2) }
    let weeks = try app.lines()[0].brought.require().weeks
    #expect(weeks.map { text(utcDay($0.start)) } == ["2025-08-11", "2025-08-18", "2025-08-25"])
    #expect(weeks.map { $0.installs } == [2, 12, 3])
    #expect(weeks.map { $0.brought[.day2].figure?.estimate } == [4, 24, 6])
    #expect(weeks.allSatisfy { $0.cost == nil && $0.answer(.day2, isReturn: true) == nil })
}

/// A month has the weeks that begin in it, so that it ends on a Sunday.
@Test func monthsAreOfWholeWeeks() throws {
    var app = try ConstructedApp()
    try app.addInstalls(40, days: 60, fine: 2, revenue: [2])
    // The last day of a week that begins in August, and the first of the next.
    for (days, count) in [(52.0, 7), (45.0, 3), (39, 4), (38, 6), (31, 1)] {
        app.addPostbacks(count, days: days, fine: 2)
    }
    let months = try app.lines()[0].brought.require().months
    #expect(months.map { text(utcDay($0.start)) } == ["2025-08-18", "2025-09-01"])
    #expect(months.map { $0.installs } == [14, 7])
    #expect(months.map { $0.brought[.day2].figure?.estimate } == [28, 14])
    #expect(try app.lines()[1].brought.require().months.isEmpty)
}

@Test func theReturnOfAWeekIsThatOfCampaignsWhoseCostsHaveDates() throws {
    var app = try ConstructedApp()
    try app.addInstalls(90, days: 60, fine: 2, revenue: [2])
    app.addPostbacks(10, days: 45, fine: 2, of: "39")
    app.addPostbacks(20, days: 45, fine: 2, of: "40")
    app.addPostbacks(5, days: 38, fine: 2, of: "39")
    let campaigns = Campaigns([
        row("39", days: 45, 30), row("39", days: 44, 10), row("40", days: nil, 1000), row("39", days: 31, 4),
    ])
    let lines = app.lines(campaigns: campaigns)
    for line in lines.prefix(2) {
        let weeks = try line.brought.require().weeks
        #expect(weeks.map { $0.cost?.units } == [40, nil, 4].map { $0.map { Int128($0) * Money.scale } })
        #expect(weeks.map { $0.installs } == [30, 5, 0])
        let returns = weeks.map { $0.answer(.day2, isReturn: true)?.figure?.estimate }
        // 10 installs of 2 each for 40; of the last week's cost no install is known yet.
        #expect(returns == [0.5, nil, nil])
    }
    // The sum of weeks is that of the line.
    let sum = try lines[0].brought.require().weeks.reduce(0) { $0 + ($1.brought[.toDate].figure?.estimate ?? 0) }
    #expect(try sum == lines[0].brought.require()[.toDate].figure.require().estimate)
}

@Test func networksHaveWeeksOfTheirOwn() throws {
    var app = try ConstructedApp()
    try app.addInstalls(40, days: 60, fine: 2, revenue: [2])
    app.addPostbacks(3, days: 45, fine: 2)
    app.addPostbacks(5, days: 45, fine: 2, network: "o")
    let networks = app.lines().filter { $0.level == .network }
    #expect(networks.map { $0.brought?.weeks.map { $0.installs } } == [[3], [5]])
}

/// The costs of weeks of an app with an install, with these rows of costs.
private func costs(_ rows: [CampaignRow], _ filter: ReportFilter = ReportFilter()) throws -> [Int128?] {
    var app = try ConstructedApp()
    try app.addInstalls(40, days: 60, fine: 2, revenue: [2])
    app.addPostbacks(3, days: 45, fine: 2)
    let weeks = try app.lines(campaigns: Campaigns(rows), filter)[0].brought.require().weeks
    return weeks.map { $0.cost.map { $0.units / Money.scale } }
}

@Test func weeksDoNotDependOnTheOrderOfRows() throws {
    // Each is less than a year before the next one, but the first is more than a year before the install.
    let rows = [row("39", days: 700, 1), row("39", days: 350, 2), row("40", days: 350, 4), row("41", days: 45, 8)]
    #expect(try costs(rows) == [6, 8])
    #expect(try costs(rows.reversed()) == [6, 8])
}

@Test func aCostOfMoreThanAYearBeforeTheInstallsIsInNoWeek() throws {
    #expect(try costs([row("39", days: 45, 8), row("39", days: 45 + 400, 16)]) == [8])
}

@Test func weeksHaveTheCostsOfTheReportsTimeAlone() throws {
    let rows = [row("39", days: 45, 8), row("39", days: 60, 16), row("39", days: 1, 32)]
    #expect(try costs(rows) == [16, 8])
    var filter = ReportFilter()
    filter.from = ConstructedApp.now - 50 * ConstructedApp.day
    #expect(try costs(rows, filter) == [8])
}

@Test func theWeekOfACampaignWithAnUndatedCostHasNoReturn() throws {
    var undated = row("139", days: nil, 5)
    undated.day = nil
    #expect(try costs([row("39", days: 45, 8), undated]) == [nil])
}

import SKANCore
import Testing

@testable import SKANCommandReport
@testable import SKANCommandRows
@testable import SKANTruth

/// Own installs with value 2 brought 2 each, and there are postbacks of 20 installs and 5 redownloads with it.
private func app() throws -> ConstructedApp {
    var app = try ConstructedApp()
    try app.addInstalls(60, days: 45, fine: 2, revenue: [2])
    app.addPostbacks(20, days: 45, fine: 2)
    app.addPostbacks(5, days: 45, fine: 2, conversion: .redownload)
    app.addPostbacks(7, days: 45, fine: 2, conversion: .reengagement)
    return app
}

private let costs = Campaigns([
    CampaignRow(
        network: [UInt8]("n".utf8), identifier: CampaignIdentifier([UInt8]("39".utf8)[...]), campaign: [], adSet: [],
        cost: Money(units: 100 * Money.scale), currency: nil, line: 2)
])

@Test func estimatesIncludeRedownloadsAndNoReengagements() throws {
    let app = try app()
    #expect(app.report().allSatisfy { $0[.day2].figure?.estimate == 50 })
    let basis = app.basis()
    #expect(basis.told == 25 && basis.redownloads == 5)
}

@Test func costPerInstallAndReturnAreOfInstallsAndRedownloads() throws {
    let lines = try app().lines(ReturnTarget([UInt8]("45%@D2".utf8)), campaigns: costs)
    for line in lines where line.level < .adSet {
        // 100 / 25, and 25 times 2 for 100.
        #expect(line.costPerInstall?.exact.map { String(decoding: $0.utf8, as: UTF8.self) } == "4.0000")
        let brought = try line.brought.require()
        #expect(brought.returnOnAdSpend(.day2, line.paid.cost)?.estimate == 0.5)
        // The 20 installs without redownloads bring 40, less than the target.
        #expect(try brought.targetChance.require() > 0.99)
    }
}

@Test func redownloadsCountInTheComparisonWithoutCosts() throws {
    var app = try ConstructedApp()
    try app.addInstalls(400, days: 45, fine: 0)
    try app.addInstalls(400, days: 45, fine: 2, revenue: [2])
    // By installs alone, 41 would bring more for each than 40.
    app.addPostbacks(60, days: 45, fine: 2, of: "40")
    app.addPostbacks(40, days: 45, fine: 0, of: "40")
    app.addPostbacks(50, days: 45, fine: 2, of: "41")
    app.addPostbacks(150, days: 45, fine: 0, of: "41", conversion: .redownload)
    #expect(app.lines().compactMap { $0.brought?.comparison?.betterThan.count } == [1, 0])
}

@Test func redownloadsCountInWeeksOfInstall() throws {
    let weeks = try app().lines()[0].brought.require().weeks
    #expect(weeks.map { $0.installs } == [25])
}

@Test func laterPostbacksOfRedownloadsAreLeftOut() throws {
    var app = try ConstructedApp()
    try app.addInstalls(600, days: 45, fine: 2, revenue: [2], later: [1, 1])
    app.addPostbacks(1, days: 70, fine: 2)
    app.addPostbacks(200, days: 45, fine: 2)
    app.addPostbacks(200, days: 45, fine: 2, conversion: .redownload)
    app.addPostbacks(200, days: 45, coarse: 1, window: .second)
    app.addPostbacks(90, days: 45, coarse: 1, window: .second, conversion: .redownload)
    let checks = try app.lines()[0].brought.require().later
    let later = try checks.first { $0.window == .second && $0.kind == .any }.require()
    #expect(later.installs == 200 && later.told == 200)
}

import Testing

@testable import SKANCommandReport
@testable import SKANCommandRows
@testable import SKANTruth

/// 200 own installs of 200 days that brought 1 dollar in window 0 and 10 after window 2, others that are as old as those
/// of postbacks, and 100 postbacks.
private func laidDown(days: Double, after: Double = 0) throws -> ConstructedApp {
    var app = try ConstructedApp()
    try app.addInstalls(200, days: 200, fine: 2, revenue: [1], after: 10)
    try app.addInstalls(200, days: days, fine: 2, revenue: [1], after: after)
    app.addPostbacks(100, days: days, fine: 2)
    return app
}

@Test func youngInstallsWillBringWhatOlderOnesDidBetweenTheSameAges() throws {
    let line = try laidDown(days: 40).report().first.require()
    let brought = try (Horizon.afterWindows + [.toDate]).map { try line[$0].figure.require().estimate }
    // Where revenue falls like 1 / age, 23, 47 and 86 % of what comes until day 200 comes between day 40 and these.
    #expect((270...410).contains(brought[0]) && (480...650).contains(brought[1]) && (850...1020).contains(brought[2]))
    #expect(brought[3] == 100)
}

@Test func revenueAfterTheWindowsIsDividedByAge() throws {
    let line = try laidDown(days: 120, after: 10).report().first.require()
    let brought = try Horizon.dated.dropFirst(2).map { try line[$0].figure.require().estimate }
    // 1 dollar each until day 35, 11 until day 120: 44 and 77 % of what came after day 35 came until days 60 and 90.
    #expect(brought[0] == 100)
    #expect((450...630).contains(brought[1]) && (770...950).contains(brought[2]) && brought[3] >= 1100)
}

@Test func howFastRevenueComesIsFitted() throws {
    var app = try ConstructedApp()
    // As much each day, at any age.
    for days in stride(from: 40.0, through: 180, by: 7) {
        try app.addInstalls(100, days: days, fine: 2, revenue: [1], after: (days - 35) / 10)
    }
    app.addPostbacks(20, days: 180, fine: 2)
    let brought = try app.total(.day90).estimate
    // 6.50 each; it would be 9.35 if revenue fell like 1 / age.
    #expect((118...150).contains(brought))
}

@Test func anEstimateAfterTheWindowsIsNeverBelowOneBefore() throws {
    for days in [20.0, 70] {
        let line = try laidDown(days: days, after: 5).report().first.require()
        let brought = try Horizon.dated.map { try line[$0].figure.require().estimate }
        #expect(brought == brought.sorted())
    }
}

@Test func whereNoInstallIsOldEnoughYoungOnesHaveNoEstimateAfterTheWindows() throws {
    var app = try ConstructedApp()
    try app.addInstalls(200, days: 80, fine: 2, revenue: [1], after: 1)
    app.addPostbacks(100, days: 40, fine: 2)
    let line = try app.report().first.require()
    #expect(line[.day60].figure != nil)
    #expect(line[.day90].whyNot == .tooFewInstalls && line[.day180].whyNot == .tooFewInstalls)
}

@Test func campaignsAndOrganicInstallsAreTheStoreAfterTheWindowsToo() throws {
    let (lines, organic) = try laidDown(days: 120, after: 10).reportWithOrganic()
    for horizon in Horizon.afterWindows {
        let total = try lines.first.require()[horizon].figure.require().estimate
        let rest = try organic.answers.require()[horizon.rawValue].figure.require().estimate
        let store = try organic.storeAnswers[horizon.rawValue].figure.require().estimate
        #expect((total + rest - store).magnitude < 0.01)
        // 100 of the 200 that are alike are of the campaign.
        #expect(rest > total)
    }
}

import SKANCore
import Testing

@testable import SKANCommandReport
@testable import SKANCommandRows
@testable import SKANTruth

/// Own installs with one fine value, of which half told a value in window 1 and brought 4 dollars then; 400 postbacks
/// each of two networks, of which `told` did.
private func revenue(told: [(network: String, count: Int)], arrivedWhole: Bool = true) throws -> [Double] {
    var app = try ConstructedApp()
    try app.addInstalls(1000, days: 60, fine: 2, revenue: [1, 4], later: [0])
    try app.addInstalls(1000, days: 60, fine: 2, revenue: [1])
    for (network, count) in told {
        app.addPostbacks(1, days: 70, fine: 2, of: "239", network: network)
        app.addPostbacks(400, days: 60, fine: 2, of: "239", network: network)
        app.addPostbacks(count, days: 60, coarse: 0, of: "239", window: .second, network: network)
    }
    var filter = ReportFilter()
    if !arrivedWhole { filter.to = ConstructedApp.now }
    let lines = app.lines(campaigns: .none, filter).filter { $0.level == .network }
    return try lines.map { try $0.brought.require()[.day7].figure.require().estimate }
}

@Test func installsBringWhatOwnOnesDidThatToldAsMuchInLaterWindows() throws {
    let brought = try revenue(told: [("a", 300), ("b", 100)])
    // 401 dollars in window 0, and 4 for each that told in window 1.
    #expect((1560...1640).contains(brought[0]) && (770...840).contains(brought[1]))
}

@Test func whereLaterWindowsTellWhatIsExpectedNothingIsDrawnOtherwise() throws {
    let brought = try revenue(told: [("a", 200), ("b", 200)])
    #expect(brought.allSatisfy { (1180...1225).contains($0) })
}

@Test func laterWindowsOfSomeArrivalsAloneTellNothing() throws {
    let brought = try revenue(told: [("a", 300), ("b", 100)], arrivedWhole: false)
    #expect(brought.allSatisfy { (1180...1225).contains($0) })
}

@Test func aStateTellsOfTheWindowsThatAnInstallIsOldEnoughFor() {
    var install = InstallState(.skan4)
    install.conversion.windows[.second].coarse = 0
    install.conversion.windows[.third].coarse = 2
    func told(days: Int64) -> [LaterState.Told] {
        let state = LaterState(install, age: days * Day.seconds)
        return Window.later.map { state[$0] }
    }
    #expect(told(days: 6) == [.unknown, .unknown])
    #expect(told(days: 7) == [.low, .unknown])
    #expect(told(days: 35) == [.low, .high])
    install.conversion.windows[.second].coarse = nil
    #expect(told(days: 35) == [.nothing, .high])
}

/// Groups with the shares of what own installs told in windows 1 and 2.
private func groups(_ shares: [(later: [UInt8?], count: Int)]) throws -> InstallGroups {
    try ConstructedApp.groups { app in
        for (later, count) in shares {
            try app.addInstalls(count, days: 60, fine: 2, later: later)
        }
    }
}

@Test func weightsMakeEachStepSoManyTimesAsLikely() throws {
    // Half have a value in window 1, of whom half have a medium one in window 2; the others have none.
    let own = try groups([([0, 1], 100), ([0, nil], 100), ([nil, nil], 200)])
    let shares = own[2].later
    var weights = LaterWeights(shares, shares)
    weights.take(LaterOdds([1.0986, 0, 0, 0, 0, 0], number: 1))
    func share(_ isMeant: (LaterState) -> Bool) -> Double {
        let all = LaterState.all.reduce(0) { $0 + shares.counts[$1.code] * weights[$1.code] }
        return LaterState.all.reduce(0) { $0 + (isMeant($1) ? shares.counts[$1.code] * weights[$1.code] : 0) } / all
    }
    // Odds of 1 to 1 become 3 to 1; what follows in window 2 is as likely as before.
    #expect((share { $0[.second].level == 1 } - 0.75).magnitude < 0.01)
    #expect((share { $0[.third].level == 2 } - 0.375).magnitude < 0.01)
    weights.take(LaterOdds.unknown)
    #expect(LaterState.all.allSatisfy { weights[$0.code] == 1 || shares.counts[$0.code] == 0 })
}

@Test func postbacksOfLaterWindowsHaveTwoDigitsAndCountForTheirCampaign() throws {
    var app = try ConstructedApp()
    try app.addInstalls(1000, days: 60, fine: 2, revenue: [1, 4], later: [2])
    try app.addInstalls(1000, days: 60, fine: 2, revenue: [1])
    for (campaign, count) in [("39", 300), ("40", 100)] {
        app.addPostbacks(1, days: 70, fine: 2, of: "52\(campaign)")
        app.addPostbacks(400, days: 60, fine: 2, of: "52\(campaign)")
        app.addPostbacks(count, days: 60, coarse: 2, of: campaign, window: .second)
    }
    let campaigns = app.lines().filter { $0.level == .campaign }
    let revenue = try campaigns.map { try $0.brought.require()[.day7].figure.require().estimate }
    // 401 dollars in window 0, and 4 for each with a value in window 1.
    #expect((1520...1640).contains(revenue[0]) && (770...880).contains(revenue[1]))
    let checks = try campaigns[0].brought.require().later
    #expect(checks.allSatisfy { $0.window == .second && $0.told == 300 && $0.installs == 400 })
}

@Test func installsWithACoarseValueMayHaveLaterPostbacksAndHiddenOnesHaveNone() throws {
    var app = try ConstructedApp()
    try app.addInstalls(500, days: 60, fine: 2, revenue: [1], later: [0])
    app.addPostbacks(1, days: 70, fine: 2)
    app.addPostbacks(100, days: 60, coarse: 1)
    app.addPostbacks(100, days: 60)
    app.addPostbacks(100, days: 60, coarse: 0, window: .second)
    let checks = try app.lines()[0].brought.require().later
    #expect(checks.map { $0.window } == [.second])
    #expect(checks.allSatisfy { $0.told == 100 && $0.installs == 100 && $0.expected == 100 })
}

@Test func postbacksThatAreFarTooFewForAnyPlayersChangeNothing() throws {
    let brought = try revenue(told: [("a", 20), ("b", 20)])
    #expect(brought.allSatisfy { (1180...1225).contains($0) })
}

@Test func farTooFewPostbacksOfALaterWindowAreWarnedOf() throws {
    func warnings(_ count: Int) throws -> [String] {
        var app = try ConstructedApp()
        try app.addInstalls(1000, days: 60, fine: 2, revenue: [1], later: [0])
        app.addPostbacks(1, days: 70, fine: 2)
        app.addPostbacks(400, days: 60, fine: 2)
        app.addPostbacks(count, days: 60, coarse: 0, window: .second)
        return app.basis().warnings.map { "\($0.key)" }.filter { $0.hasPrefix("later") }
    }
    #expect(try warnings(20) == ["later_postbacks"])
    #expect(try warnings(250) == ["later_windows"])
    #expect(try warnings(400) == [])
}

@Test func installsFromAroundAChangeOfModelsAreCompared() throws {
    var app = try ConstructedApp()
    try app.addInstalls(300, days: 60, fine: 2, revenue: [1], later: [0])
    try app.addInstalls(100, days: 60, fine: 2, revenue: [1], model: 1)
    app.addPostbacks(1, days: 70, fine: 2, of: "239")
    app.addPostbacks(80, days: 60, fine: 2, of: "239", isUndecided: true)
    app.addPostbacks(60, days: 60, coarse: 0, of: "239", window: .second)
    let checks = try app.lines()[0].brought.require().later
    #expect(checks.count == 1)
    #expect(checks[0].installs == 80 && checks[0].told == 60 && checks[0].expected == 60)
}

@Test func windowTwoIsExpectedWithOrWithoutInstallsThatWereSilentInWindowOne() throws {
    // Apple does not say which: of 400 installs 100 have a value in both windows, and 100 in window 2 alone.
    func expected(_ reported: Int) throws -> Double? {
        var app = try ConstructedApp()
        try app.addInstalls(100, days: 60, fine: 2, revenue: [1], later: [0, 0])
        try app.addInstalls(100, days: 60, fine: 2, revenue: [1], later: [nil, 0])
        try app.addInstalls(200, days: 60, fine: 2, revenue: [1])
        app.addPostbacks(1, days: 70, fine: 2)
        app.addPostbacks(400, days: 60, fine: 2)
        app.addPostbacks(100, days: 60, coarse: 0, window: .second)
        app.addPostbacks(reported, days: 60, coarse: 0, window: .third)
        let checks = try app.lines()[0].brought.require().later
        return checks.first { $0.window == .third && $0.kind == .any }?.expected
    }
    #expect(try expected(200) == 200 && expected(190) == 200)
    #expect(try expected(100) == 100 && expected(110) == 100)
}

import SKANCore
import Testing

@testable import SKANCommandReport

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
    let lines = app.lines(isWhole: arrivedWhole).filter { $0.level == .network }
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
    install.windows[.second].coarse = 0
    install.windows[.third].coarse = 2
    func told(days: Int64) -> [LaterState.Told] {
        let state = LaterState(install, age: days * Day.seconds)
        return Window.later.map { state[$0] }
    }
    #expect(told(days: 6) == [.unknown, .unknown])
    #expect(told(days: 7) == [.low, .unknown])
    #expect(told(days: 35) == [.low, .aboveLow])
    install.windows[.second].coarse = nil
    #expect(told(days: 35) == [.nothing, .aboveLow])
}

/// Groups with the shares of what own installs told in windows 1 and 2.
private func groups(_ shares: [(later: [UInt8?], count: Int)]) throws -> InstallGroups {
    try ConstructedApp.groups { app in
        for (later, count) in shares {
            try app.addInstalls(count, days: 60, fine: 2, later: later)
        }
    }
}

@Test func weightsMeetWhatBothWindowsTold() throws {
    // Who told in window 2 told in window 1 too.
    let own = try groups([([0, 1], 100), ([0, nil], 100), ([nil, nil], 200)])
    func check(_ window: Window, _ kind: LaterKind, _ told: Double, of expected: Double) -> LaterCheck {
        LaterCheck(window: window, kind: kind, installs: 4000, told: told, expected: expected, deviations: 0)
    }
    let checks = [
        check(.second, .any, 3000, of: 2000), check(.third, .any, 2000, of: 1000),
        check(.third, .aboveLow, 2000, of: 1000),
    ]
    let weights = LaterWeights(checks, [(2, 4000)], own)
    let expected = LaterState.all.map { own[2].later.counts[$0.code] * weights[$0.code] }
    let all = expected.reduce(0, +)
    func share(_ window: Window) -> Double {
        LaterState.all.reduce(0) { $0 + ($1[window].isValue ? expected[$1.code] : 0) } / all
    }
    #expect((share(.second) - 0.75).magnitude < 0.001 && (share(.third) - 0.5).magnitude < 0.001)
    let equal = LaterWeights([], [(2, 4000)], own)
    #expect(LaterState.all.allSatisfy { equal[$0.code] == 1 })
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

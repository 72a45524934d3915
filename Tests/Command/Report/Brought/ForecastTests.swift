import SKANCore
import Testing

@testable import SKANCommandReport
@testable import SKANCommandRows
@testable import SKANTruth

@Test func aDearValueWithoutOldInstallsKeepsWhatItBroughtAlready() throws {
    var app = try ConstructedApp()
    // Those of 50 days ago brought nothing; of 400 of the last weeks 12 paid 49.99 on day 0.
    try app.addInstalls(388, days: 10, fine: 0)
    try app.addInstalls(12, days: 10, fine: 3, revenue: [49.99])
    try app.addInstalls(970, days: 50, fine: 0)
    try app.addInstalls(30, days: 50, fine: 2, revenue: [1, 0, 0.65])
    app.addPostbacks(388, days: 10, fine: 0)
    app.addPostbacks(12, days: 10, fine: 3)
    for horizon in ConstructedApp.horizons {
        let figure = try app.total(horizon)
        #expect(figure.estimate > 599.8 && figure.high >= figure.estimate && figure.low <= figure.estimate)
    }
}

@Test func anEstimateOfHiddenInstallsLiesWithinItsInterval() throws {
    var app = try ConstructedApp()
    // One organic whale; of 20 installs nothing is told, and another campaign's values make hidden ones comparable.
    try app.addInstalls(20_000, days: 40, fine: 0)
    try app.addInstalls(1, days: 40, fine: 3, revenue: [900, 900, 200])
    app.addPostbacks(20, days: 40, of: "40")
    app.addPostbacks(100, days: 40, fine: 0, of: "41")
    for line in app.report() {
        for horizon in ConstructedApp.horizons {
            let figure = try #require(line[horizon].figure)
            #expect(figure.low <= figure.estimate && figure.estimate <= figure.high && figure.low == 0)
        }
    }
}

@Test func untilDay7YoungInstallsGrowAsOlderOnesDidUntilThen() throws {
    func brought(_ older: [Double]) throws -> [Double] {
        var app = try ConstructedApp()
        try app.addInstalls(200, days: 60, fine: 2, revenue: older)
        try app.addInstalls(200, days: 4, fine: 2, revenue: [1])
        app.addPostbacks(100, days: 4, fine: 2)
        let line = try app.report().first.require()
        return try [.day7, .day35].map { try line[$0].figure.require().estimate }
    }
    let grown = try brought([1, 4])
    #expect((300...500).contains(grown[0]) && grown[1] == grown[0])
    let later = try brought([1, 0, 4])
    #expect(later[0] == 100 && later[1] > 400)
    #expect(try brought([1]) == [100, 100])
}

@Test func anAmountHasTwoPlacesUnlessOthersAreAskedFor() throws {
    func text(_ message: Message?) -> String? { message.map { String(decoding: $0.utf8, as: UTF8.self) } }
    #expect(text(BroughtFigure.text(12.3456)) == "12.35")
    #expect(text(BroughtFigure.text(12.3456, places: 4)) == "12.3456")
    #expect(text(BroughtFigure.text(-0.001)) == "0.00" && text(BroughtFigure.text(-1.5)) == "-1.50")
}

import SKANCore
import Testing

@testable import SKANCommandReport

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

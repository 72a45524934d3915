import Testing

@testable import SKANCommandReport
@testable import SKANCommandRows
@testable import SKANTruth

/// How many hidden installs of each campaign had each value, in the mean of many draws.
private func drawn(_ sizes: [Int], _ mixes: [[Double]], left: [Int]) -> [[Double]] {
    var numbers = DrawnNumbers(seed: 1)
    var means = mixes.map { $0.map { _ in 0.0 } }
    for _ in 0..<2000 {
        var hidden = sizes.enumerated().map { campaign, size in
            var installs = HiddenInstalls(campaign: campaign, model: 0, coarse: nil)
            for _ in 0..<size {
                installs.add(
                    ReportedInstalls(
                        line: campaign, campaign: campaign, week: 0, count: 1, value: .hidden, model: .known(0)))
            }
            return installs
        }
        hidden.drawValues(mixes, left: left, &numbers)
        for campaign in hidden.indices {
            #expect(hidden[campaign].values.count == sizes[campaign])
            for value in hidden[campaign].values { means[campaign][value] += 1.0 / 2000 }
        }
    }
    return means
}

private func areNear(_ found: [[Double]], _ wanted: [[Double]], _ distance: Double) -> Bool {
    zip(found, wanted).allSatisfy { zip($0, $1).allSatisfy { ($0 - $1).magnitude < distance } }
}

@Test func hiddenInstallsHaveTheValuesOfTheirMix() {
    let found = drawn([40, 10], [[0.5, 0.3, 0.2], [0, 0.1, 0.9]], left: [1000, 1000, 1000])
    #expect(areNear(found, [[20, 12, 8], [0, 1, 9]], 0.3))
}

@Test func aRareValueIsAsFrequentAsExpectedWhereOwnInstallsAllowIt() {
    // One own install stands for half an install that is expected: in every second draw.
    let found = drawn([50], [[0.99, 0.01]], left: [1000, 1])
    #expect(areNear(found, [[49.5, 0.5]], 0.04))
}

@Test func noMoreAreHiddenThanThereAre() {
    let found = drawn([50], [[0.5, 0.5]], left: [1000, 10])
    #expect(areNear(found, [[40, 10]], 1e-9))
}

@Test func whereOwnInstallsLackAnyValueIsDrawn() {
    let found = drawn([50], [[0.5, 0.5]], left: [10, 0])
    #expect(areNear(found, [[30, 20]], 0.5))
}

@Test func ifValuesWereHiddenForWhatTheyAreTheIntervalIsWider() throws {
    var app = try ConstructedApp()
    try app.addInstalls(300, days: 40, fine: 0)
    try app.addInstalls(20, days: 40, fine: 2, revenue: [2])
    app.addPostbacks(90, days: 40, fine: 0)
    app.addPostbacks(5, days: 40, fine: 2)
    #expect(try app.total(.day2).worst == nil)
    app.addPostbacks(10, days: 40)
    let figure = try app.total(.day2)
    let worst = try figure.worst.require()
    // Ten hidden installs with nothing, or with 2 each: ten of the 15 that are left have it.
    #expect((worst.low - 10).magnitude < figure.low - 10 + 2 && worst.high - worst.low >= 20)
    #expect(worst.low <= figure.low && worst.high >= figure.high && worst.high <= 10 + 20 + figure.high - figure.low)
}

import SKANCore
import Testing

@testable import SKANCommandReport
@testable import SKANCommandRows
@testable import SKANTruth

@Test func aStoreWhoseInstallsAreAllToldOfIsCertain() throws {
    var app = try ConstructedApp()
    try app.addInstalls(30, days: 40, fine: 0)
    for revenue in [1.0, 2, 4.5] { try app.addInstalls(4, days: 40, fine: 2, revenue: [revenue]) }
    app.addPostbacks(30, days: 40, fine: 0)
    app.addPostbacks(12, days: 40, fine: 2)
    for horizon in ConstructedApp.horizons {
        let figure = try app.total(horizon)
        #expect(figure.estimate == 30 && figure.low == 30 && figure.high == 30)
    }
}

@Test func theMoreOfTheStoreIsTheLinesTheLessIsInDoubt() throws {
    let widths = try [10, 20, 30].map { count in
        var app = try ConstructedApp()
        for revenue in [1.0, 2, 3, 9] { try app.addInstalls(10, days: 40, fine: 2, revenue: [revenue]) }
        app.addPostbacks(count, days: 40, fine: 2)
        let figure = try app.total(.day2)
        #expect((figure.estimate / (3.75 * Double(count)) - 1).magnitude < 0.05)
        return (figure.high - figure.low) / figure.estimate
    }
    #expect(widths[0] > widths[1] && widths[1] > widths[2] && widths[2] > 0)
}

@Test func campaignsAndOrganicInstallsAreTheStore() throws {
    var app = try ConstructedApp()
    try app.addInstalls(500, days: 40, fine: 0)
    try app.addInstalls(200, days: 9, fine: 0)
    for revenue in [1.01, 2.02, 3.33, 7.77] {
        try app.addInstalls(20, days: 40, fine: 2, revenue: [revenue, 0.11, 0.13])
    }
    for place in 0..<7 {
        app.addPostbacks(20, days: 40, of: "\(place)")
        app.addPostbacks(20, days: 9, fine: 0, of: "\(place)")
        app.addPostbacks(3, days: 40, fine: 2, of: "\(place)")
    }
    let (lines, organic) = app.reportWithOrganic()
    #expect(organic.installs == 780 - 7 * 43 && organic.storeInstalls == 780)
    for horizon in ConstructedApp.horizons {
        let cents = try lines.map { try ($0[horizon].figure.require().estimate * 100).rounded() }
        let ofOrganic = try organic.answers.require()[horizon.rawValue].figure.require()
        let ofStore = try organic.storeAnswers[horizon.rawValue].figure.require()
        #expect(cents[0] == cents[1...].reduce(0, +))
        #expect(cents[0] + (ofOrganic.estimate * 100).rounded() == (ofStore.estimate * 100).rounded())
        guard horizon == .day2 || horizon == .toDate else { continue }
        // What is known of all is certain: what campaigns have more, organic installs have less.
        let total = try lines[0][horizon].figure.require()
        #expect((ofStore.high - ofStore.low).magnitude < 0.01)
        #expect((total.high + ofOrganic.low - ofStore.estimate).magnitude < 0.01)
        #expect((total.low + ofOrganic.high - ofStore.estimate).magnitude < 0.01)
    }
}

@Test func aReportIsTheSameWhenItIsRepeated() throws {
    var app = try ConstructedApp()
    try app.addInstalls(300, days: 40, fine: 0)
    try app.addInstalls(20, days: 40, fine: 2, revenue: [2, 1, 1])
    try app.addInstalls(20, days: 8, fine: 2, revenue: [5])
    app.addPostbacks(40, days: 20)
    app.addPostbacks(4, days: 8, fine: 2)
    let (one, other) = (try app.total(.day35), try app.total(.day35))
    #expect(one.estimate == other.estimate && one.low == other.low && one.high == other.high && one.low < one.high)
}

@Test func moreInstallsThanTheStoreHasGiveNoOrganicFigures() throws {
    var app = try ConstructedApp()
    try app.addInstalls(20, days: 40, fine: 2, revenue: [2])
    try app.addInstalls(20, days: 40, fine: 2, revenue: [4])
    app.addPostbacks(41, days: 40, fine: 2)
    let (lines, organic) = app.reportWithOrganic()
    #expect(try (lines[0][.day2].figure.require().estimate / 123 - 1).magnitude < 0.02)
    #expect(organic.installs == nil && organic.answers?.allSatisfy { $0.whyNot == .moreThanTheStore } == true)
}

@Test func onlyRefundsMakeAnIntervalReachBelowNothing() throws {
    func low(_ refunded: Double) throws -> Double {
        var app = try ConstructedApp()
        try app.addInstalls(80, days: 40, fine: 0)
        try app.addInstalls(20, days: 40, fine: 0, revenue: [refunded])
        app.addPostbacks(10, days: 40, fine: 0)
        return try app.total(.day2).low
    }
    #expect(try low(5) == 0)
    #expect(try low(-5) < 0)
}

@Test func installsOfExactlyAHorizonsAgeTellOfIt() throws {
    var app = try ConstructedApp()
    try app.addInstalls(10, days: 35, fine: 2, revenue: [1, 1, 1])
    app.addPostbacks(10, days: 35, fine: 2)
    #expect(try app.total(.day35).estimate == 30)
    #expect(try app.total(.day35).low == 30)
}

@Test func installsOfThreeDaysAndAHalfCountAndYoungerOnesAreNamed() throws {
    var app = try ConstructedApp()
    try app.addInstalls(10, days: 3.5, fine: 2, revenue: [1])
    app.addPostbacks(10, days: 4, fine: 2)
    #expect(try app.total(.day2).estimate == 10)
    var younger = try ConstructedApp()
    try younger.addInstalls(10, days: 3.49, fine: 2, revenue: [1])
    younger.addPostbacks(10, days: 4, fine: 2)
    #expect(younger.report()[0][.day2].whyNot == .tooFewInstalls)
    #expect(younger.basis().left.young == 10)
}

@Test func thePostbacksDayOfInstallIsTheMiddleOfItsDates() throws {
    var app = try ConstructedApp()
    try app.addInstalls(40, days: 40, fine: 2, revenue: [1])
    try app.addInstalls(40, days: 33, fine: 2, revenue: [9])
    // From 36 days ago to 30: of those that came 33 days ago, not of those before.
    app.addPostbacks(40, days: 36, until: 30, fine: 2)
    #expect(try app.total(.day2).estimate == 360)
}

@Test func lessThanTenInstallsBehindAValueThatMattersGiveNoNumber() throws {
    func answer(own: Int, told: Int) throws -> BroughtAnswer {
        var app = try ConstructedApp()
        try app.addInstalls(200, days: 40, fine: 0)
        if own > 0 { try app.addInstalls(own, days: 40, fine: 2, revenue: [1]) }
        app.addPostbacks(100 - told, days: 40, fine: 0)
        app.addPostbacks(told, days: 40, fine: 2)
        return app.report()[0][.day2]
    }
    #expect(try answer(own: 9, told: 6).whyNot == .tooFewInstalls)
    #expect(try answer(own: 9, told: 6).needed == 1)
    #expect(try answer(own: 0, told: 6).needed == 10)
    #expect(try answer(own: 9, told: 5).figure.require().estimate == 5)
    #expect(try answer(own: 10, told: 6).figure.require().estimate == 6)
}

@Test func aTwentiethOfOtherModelsIsTolerated() throws {
    for (others, why) in [(5, nil), (6, NoEstimate.noInstallsOfModel)] as [(Int, NoEstimate?)] {
        var app = try ConstructedApp()
        try app.addInstalls(200, days: 40, fine: 2, revenue: [2])
        app.addPostbacks(100 - others, days: 40, fine: 2)
        app.addPostbacks(others, days: 40, fine: 3, isOfOtherModel: true)
        let answer = app.report()[0][.day2]
        // They are taken for installs like the others.
        #expect(answer.whyNot == why && (why != nil || answer.figure?.estimate == 200))
    }
}

@Test func linesWithoutInstallsOrValuesHaveNoEstimate() throws {
    var app = try ConstructedApp()
    try app.addInstalls(200, days: 40, fine: 0)
    #expect(app.report()[0][.day2].whyNot == .noValues)
    app.addPostbacks(5, days: 40)
    #expect(app.report()[0][.day2].whyNot == .noValues)
    app.addPostbacks(1, days: 40, fine: 0)
    #expect(app.report()[0][.day2].whyNot == nil)
}

@Test func hiddenInstallsAreLikeTheirCampaignsOthers() throws {
    var app = try ConstructedApp()
    try app.addInstalls(3000, days: 40, fine: 0)
    try app.addInstalls(3000, days: 40, fine: 2, revenue: [2])
    for (campaign, dear) in [("40", 0), ("41", 400)] {
        app.addPostbacks(400 - dear, days: 40, fine: 0, of: campaign)
        app.addPostbacks(dear, days: 40, fine: 2, of: campaign)
        app.addPostbacks(100, days: 40, of: campaign)
    }
    let lines = app.report().map { $0[.day2].figure?.estimate ?? -1 }
    #expect(lines[1] < 60 && lines[2] > 940 && lines[2] <= 1000)
}

@Test func aValueWithoutAModelIsOfTheModelThatOwnInstallsOfTheseDaysHave() throws {
    var app = try ConstructedApp()
    for (model, days, amount) in [(0, 40.0, 2.0), (1, 10, 8)] {
        try app.addInstalls(100, days: days, fine: 0, model: model)
        try app.addInstalls(50, days: days, fine: 2, revenue: [amount], model: model)
        app.addPostbacks(20, days: days, fine: 2, isUndecided: true)
    }
    app.addPostbacks(1, days: 40, fine: 0)
    #expect(try app.total(.day2).estimate == 20 * 2 + 20 * 8)
}

@Test func theSameValueOfTwoModelsIsComparedWithItsOwnInstalls() throws {
    var app = try ConstructedApp()
    for (model, amount) in [(0, 2.0), (1, 8)] {
        try app.addInstalls(50, days: 40, fine: 2, revenue: [amount], model: model)
        app.addPostbacks(10, days: 40, fine: 2, of: "\(40 + model)", model: model)
    }
    let estimates = app.report().map { $0[.day2].figure?.estimate }
    #expect(estimates == [100, 20, 80])
}

@Test func refundsAfterADayCountAgainstWhatWasBrought() throws {
    var app = try ConstructedApp()
    try app.addInstalls(30, days: 40, fine: 2, revenue: [5, -5, 0])
    app.addPostbacks(30, days: 40, fine: 2)
    let figures = try ConstructedApp.horizons.map { try app.total($0).estimate }
    #expect(figures == [150, 0, 0, 0])
}

@Test func returnOnAdSpendIsOfTheCampaignsThatHaveACost() throws {
    let spent = Money(units: 50 * Money.scale)
    func figure(_ amount: Double) -> BroughtAnswer { .figure(BroughtFigure(amount, (amount / 2, amount * 2))) }
    let line = BroughtLine(
        answers: Horizon.allCases.map { _ in figure(100) }, paid: Horizon.allCases.map { _ in figure(20) })
    let spend = try line.returnOnAdSpend(.day7, spent).require()
    #expect(spend.estimate == 0.4 && spend.low == 0.2 && spend.high == 0.8)
    #expect(line.returnOnAdSpend(.day7, nil) == nil && line.returnOnAdSpend(.day7, .zero) == nil)
}

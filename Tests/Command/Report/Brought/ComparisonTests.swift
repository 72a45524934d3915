import SKANCore
import Testing

@testable import SKANCommandReport
@testable import SKANCommandRows
@testable import SKANTruth

private func target(_ text: String) -> ReturnTarget? { ReturnTarget([UInt8](text.utf8)) }

private func member(_ line: Int, _ drawn: [Double], installs: UInt64 = 100) -> CampaignComparison.Member {
    CampaignComparison.Member(line: line, installs: installs, drawn: drawn, divisor: 10)
}

/// A campaign's row with a cost.
private func row(_ identifier: String, _ cost: Int) -> CampaignRow {
    CampaignRow(
        network: [UInt8]("n".utf8), identifier: CampaignIdentifier([UInt8](identifier.utf8)[...]), campaign: [],
        adSet: [], cost: Money(units: Int128(cost) * Money.scale), currency: nil, line: 2)
}

@Test func aTargetIsAReturnUntilADay() throws {
    let found = try #require(target("120%@D35"))
    #expect(found.share == 1.2 && found.horizon == .day35)
    #expect(target("7.5%@D7")?.share == 0.075 && target("100%@D2")?.horizon == .day2)
    #expect(
        ["", "120", "120%", "120%@", "120%@D8", "@D7", "%@D7", "0%@D7", "-5%@D7", "x%@D7", "120%@D35 "]
            .allSatisfy { target($0) == nil })
}

@Test func theChanceOfATargetIsThatOfTheDraws() throws {
    var app = try ConstructedApp()
    try app.addInstalls(50, days: 40, fine: 2, revenue: [2])
    try app.addInstalls(50, days: 40, fine: 2, revenue: [4])
    app.addPostbacks(50, days: 40, fine: 2)
    // 50 of the 100 bring 150 in the mean.
    func chance(_ text: String) throws -> Double {
        let lines = app.lines(target(text), campaigns: Campaigns([row("39", 100)]))
        return try lines[0].brought.require().targetChance.require()
    }
    #expect(try chance("100%@D2") > 0.99 && chance("200%@D2") < 0.01)
    #expect(try (0.3...0.7).contains(chance("150%@D2")))
    #expect(app.lines(target("150%@D2"))[0].brought?.targetChance == nil)
}

@Test func aCampaignIsBetterThanOthersWhereEightyPercentOfTheDrawsSaySo() {
    let compared = CampaignComparison.all([
        member(3, [9, 9, 9, 9, 1]), member(5, [2, 2, 2, 2, 2]), member(7, [1, 3, 1, 3, 1]),
    ])
    #expect(compared.map { $0.line } == [3, 5, 7])
    // Draws that are alike count half.
    #expect(compared[0].betterThan.map { $0.line } == [7] && compared[0].chance == 4.5 / 6)
    let sure = CampaignComparison.all([member(3, [9, 9, 9, 9, 9]), member(5, [2, 2, 2, 2, 2])])
    #expect(sure[0].betterThan.map { $0.line } == [5] && sure[1].betterThan.isEmpty)
    #expect(sure[0].needed == nil && sure[1].needed == nil && sure[1].chance == 0.5 / 6)
    #expect(CampaignComparison.all([member(3, [9])]).isEmpty)
}

@Test func whatIsTooSmallNamesHowManyInstallsItWouldTake() throws {
    // A mean difference of 0.1 with a deviation of 0.5: (0.84 * 5)² times as many.
    let compared = CampaignComparison.all([member(3, [6, -4, 6, -4]), member(5, [0, 0, 0, 0])])
    #expect(try compared[0].needed.require() == 1764)
    let alike = CampaignComparison.all([member(3, [1, -1]), member(5, [0, 0])])
    #expect(alike[0].needed == nil)
}

@Test func campaignsAreComparedByReturnWhereCostsAreTold() throws {
    var app = try ConstructedApp()
    try app.addInstalls(400, days: 40, fine: 0)
    try app.addInstalls(400, days: 40, fine: 2, revenue: [2])
    app.addPostbacks(100, days: 40, fine: 2, of: "40")
    app.addPostbacks(50, days: 40, fine: 0, of: "41")
    app.addPostbacks(50, days: 40, fine: 2, of: "41")
    func better(_ campaigns: Campaigns) -> [Int] {
        app.lines(campaigns: campaigns).compactMap { $0.brought?.comparison?.betterThan.count }
    }
    #expect(better(.none) == [1, 0])
    // The better one by install cost five times as much.
    #expect(better(Campaigns([row("40", 500), row("41", 100)])) == [0, 1])
    #expect(better(Campaigns([row("40", 500)])) == [])
}

import SKANCore
import SKANPostbackReceiving
import SKANPostbackVerification
import Testing

@testable import SKANCommandReport
@testable import SKANCommandRows

private let day: Int64 = 86_400

private func observed(
    _ network: String?, on days: Int64, fine: Int? = 7, isIllegal: Bool = false, isRespelled: Bool = false,
    _ conversion: AdConversion = .install, outcome: PostbackOutcome = .counted, result: PostbackResult = .valid
) -> ObservedPostback {
    ObservedPostback(
        outcome: outcome, result: result, window: .first, conversion: conversion, isWinning: true,
        fine: isIllegal ? nil : fine, coarse: nil, isIllegal: isIllegal, isRespelled: isRespelled,
        decoding: .notDecoded, model: nil, network: network.map { [UInt8]($0.utf8) },
        unknownType: conversion == .unknownType ? ("conversion-type", [UInt8]("update".utf8)) : nil,
        identifier: CampaignIdentifier([UInt8]("39".utf8)[...]), app: nil, received: days * day + 60,
        dates: EstimatedDates(from: 0, until: 0, untilUnlocked: 0))
}

private func tally(_ counted: [ObservedPostback], refused: [ObservedPostback] = []) -> Tally {
    var tally = Tally()
    for each in counted { tally.add(each, RevenueModels(), .none) }
    for each in refused { tally.add(refused: each) }
    tally.end()
    return tally
}

private func quality(_ tally: Tally, until days: Int64 = 1000) -> DataQuality {
    DataQuality(tally.quality, .none, until: days * day)
}

@Test func eachNetworkSaysWhatItsPostbacksWereLike() throws {
    let counted = tally(
        [
            observed("a", on: 1), observed("a", on: 1, isIllegal: true), observed("a", on: 1, isRespelled: true),
            observed("b", on: 1, .unknownType),
        ],
        refused: [
            observed("a", on: 1, outcome: .refused, result: .malformed), observed(nil, on: 1, outcome: .otherApp),
        ])
    let lines = quality(counted).lines
    #expect(lines.map { String(decoding: $0.network, as: UTF8.self) } == ["a", "b", ""])
    #expect(lines.map(\.quality.counted) == [3, 1, 0])
    #expect(lines[0].quality.illegal == 1 && lines[0].quality.respelled == 1 && lines[1].quality.unknownTypes == 1)
    #expect(lines.map(\.quality.refusedCount) == [1, 0, 1])
    #expect(quality(counted).unknown.map(\.count) == [1])
}

/// It is neither an install nor hidden, and has no revenue.
@Test func anUnknownTypeIsInNoOtherFigure() {
    let counted = tally([observed("a", on: 1, .unknownType), observed("a", on: 1)])
    let counts = ReportLines(counted, .none).lines[0].counts
    #expect(counted.counted == 2)
    #expect(counts[.installs, .first].winning == 1 && counts[.reengagements, .first].winning == 0)
    #expect(counted.days.days.map(\.installs) == [1])
}

@Test func anIllegalValueIsNotHidden() {
    let counts = ReportLines(tally([observed("a", on: 1, isIllegal: true)]), .none).lines[0].counts
    #expect(counts[.installs, .first].carried.hidden == 0 && counts[.installs, .first].carried.illegal == 1)
    #expect(counts[.installs, .first].winning == 1)
}

// MARK: Warnings

/// There are 5456 ways in which three of 33 days can be the silent ones, and in one of them they are the last three.
@Test func silenceIsJudgedByTheDaysBefore() {
    #expect(QualityStatistics.chanceOfSilence(active: 30, of: 30, silent: 0) == 1)
    #expect(abs(QualityStatistics.chanceOfSilence(active: 30, of: 30, silent: 3) * 5456 - 1) < 1e-9)
    // One active day of two may lie in either of four with the same chance: 2 of 4.
    #expect(abs(QualityStatistics.chanceOfSilence(active: 1, of: 2, silent: 2) - 0.5) < 1e-12)
}

/// Postbacks on days 0 to 29, then full days of silence before the day of the report: two are 1 of 496, three of 5456.
@Test(arguments: [(31, false), (32, false), (33, true), (40, true)] as [(Int64, Bool)])
func aNetworkThatWasThereEveryDayStops(_ end: Int64, _ isWarned: Bool) {
    let counted = tally((0..<30).map { observed("a", on: $0) })
    let warnings = quality(counted, until: end).lines.flatMap(\.warnings)
    #expect(warnings.map { $0.key.description } == (isWarned ? ["stopped"] : []))
}

@Test func aNetworkThatComesNowAndThenHasNotStopped() {
    let counted = tally(stride(from: Int64(0), to: 60, by: 10).map { observed("a", on: $0) })
    #expect(quality(counted, until: 65).lines.flatMap(\.warnings).isEmpty)
}

/// Fisher's tea: of four and four, all right, 1 of 70.
@Test func aRiseIsJudgedByFishersTest() {
    let four = ValueDay(postbacks: 4, readable: 0, illegal: 4)
    let none = ValueDay(postbacks: 4, readable: 4, illegal: 0)
    #expect(abs(QualityStatistics.chanceOfRise(recent: four, earlier: none) * 70 - 1) < 1e-9)
    #expect(QualityStatistics.chanceOfRise(recent: none, earlier: four) == 1)
}

@Test func aShareOfIllegalValuesThatRoseIsTold() {
    let before = (0..<30).flatMap { day in (0..<5).map { _ in observed("a", on: day) } }
    let since = (30..<34).flatMap { day in (0..<5).map { observed("a", on: day, isIllegal: $0 < 3) } }
    let warned = quality(tally(before + since), until: 34)
    #expect(warned.lines.flatMap(\.warnings).map { $0.key.description } == ["illegal_share_rose"])
    // As many all the time are no rise.
    let always = (0..<34).flatMap { day in (0..<5).map { observed("a", on: day, isIllegal: $0 < 3) } }
    #expect(quality(tally(always), until: 34).lines.flatMap(\.warnings).isEmpty)
}

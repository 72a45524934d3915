import SKANCore
import Testing

@testable import SKANCommandReport
@testable import SKANCommandRows
@testable import SKANTruth

private func model(_ first: String, _ second: String = "", _ third: String = "") throws -> RevenueModel {
    let windows = [first, second, third].map { #"{"rules":[\#($0)]}"# }.joined(separator: ",")
    let document = [UInt8](#"{"schema":1,"id":"test","windows":[\#(windows)]}"#.utf8)
    return RevenueModel(try document.withUnsafeBytes { try ConversionModel.read(json: $0) })
}

@Test func aValueWithoutRuleOrWindowIsUndecodable() throws {
    let model = try model(#"{"fine":3,"when":{"revenue":{"min":5}}}"#, #"{"coarse":1}"#)
    for (fine, coarse) in [(7, nil), (nil, 2), (nil, nil), (64, nil), (nil, 3)] as [(Int?, Int?)] {
        guard case .undecodable = model.worth(.first, fine: fine, coarse: coarse) else {
            Issue.record("fine \(fine ?? -1), coarse \(coarse ?? -1)")
            continue
        }
    }
    guard case .noRevenue = model.worth(.second, fine: nil, coarse: 1) else {
        Issue.record("a window whose rules do not speak of revenue")
        return
    }
}

@Test func refundsHaveARange() throws {
    let model = try model(
        #"{"fine":1,"when":{"revenue":{"min":-10,"max":0}}},{"fine":2,"when":{"revenue":{"min":-6,"max":-4}}}"#,
        #"{"coarse":1,"when":{"revenue":{"kind":"ad","min":-2}}}"#)
    #expect(model.bounds(.first, fine: 1, coarse: nil) == [-10, 0, -5])
    #expect(model.bounds(.first, fine: 2, coarse: nil) == [-6, -4, -5])
    #expect(model.bounds(.second, fine: nil, coarse: 1) == [-2, nil, -2])
}

@Test func aRangeEndsWhereTheNextRuleBegins() throws {
    let ladder = #"{"coarse":0},{"coarse":1,"when":{"revenue":{"min":1}}},{"coarse":2,"when":{"revenue":{"min":20}}}"#
    let model = try model(#"{"fine":0},{"fine":1,"when":{"revenue":{"min":2}}}"#, ladder)
    #expect(model.bounds(.first, fine: 0, coarse: nil) == [0, 2, 0])
    #expect(model.bounds(.first, fine: 1, coarse: nil) == [2, nil, 2])
    #expect(model.bounds(.second, fine: nil, coarse: 0) == [0, 1, 0])
    #expect(model.bounds(.second, fine: nil, coarse: 1) == [1, 20, 10])
    #expect(model.bounds(.second, fine: nil, coarse: 2) == [20, nil, 20])
}

@Test func aRangeEndsOnlyWhereANextRuleHasNoOtherCondition() throws {
    let model = try model(
        #"""
        {"fine":1,"when":{"revenue":{"min":1}}},
        {"fine":2,"when":{"revenue":{"min":5},"sessions":{"min":3}}},
        {"fine":3,"when":{"revenue":{"min":9},"sessions":{"min":3}}},
        {"fine":4,"when":{"revenue":{"kind":"ad","min":7}}},
        {"fine":5,"when":{"revenue":{"min":30,"max":40}}},
        {"fine":6,"when":{"revenue":{"min":50}}}
        """#)
    #expect(model.bounds(.first, fine: 1, coarse: nil) == [1, 50, 25])
    #expect(model.bounds(.first, fine: 2, coarse: nil) == [5, 9, 7])
    #expect(model.bounds(.first, fine: 3, coarse: nil) == [9, 50, 29])
    #expect(model.bounds(.first, fine: 5, coarse: nil) == [30, 40, 35])
}

@Test func aNextRuleAboutAdsSaysNothingAboutPurchases() throws {
    let model = try model(
        #"{"fine":1,"when":{"revenue":{"kind":"iap","min":1}}},{"fine":2,"when":{"revenue":{"kind":"ad","min":5}}}"#)
    guard case .known(let revenue) = model.worth(.first, fine: 1, coarse: nil) else {
        Issue.record("purchases of 1 or more")
        return
    }
    #expect(revenue.kind == .iap && revenue.range.most == nil)
}

@Test func aLaterRuleMayTakeTheLowerPartOfARange() throws {
    let model = try model(#"{"fine":1,"when":{"revenue":{"max":30}}},{"fine":2,"when":{"revenue":{"max":10}}}"#)
    #expect(model.bounds(.first, fine: 1, coarse: nil) == [10, 30, 20])
    #expect(model.bounds(.first, fine: 2, coarse: nil) == [0, 10, 5])
}

extension RevenueModel {
    /// The least revenue of a value, where its range ends, and the estimate, in whole units; empty if nothing is known.
    fileprivate func bounds(_ window: Window, fine: Int?, coarse: Int?) -> [Int128?] {
        guard case .known(let revenue) = worth(window, fine: fine, coarse: coarse) else { return [] }
        return [revenue.range.least, revenue.range.most, revenue.estimate].map { $0.map { $0.units / Money.scale } }
    }
}

import SKANCore
import Testing

@testable import SKANCommandReport

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
    func bounds(_ window: Window, fine: Int?, coarse: Int?) -> [Int128?] {
        guard case .known(let revenue) = model.worth(window, fine: fine, coarse: coarse) else { return [] }
        return [revenue.range.least, revenue.range.most, revenue.estimate].map { $0.map { $0.units / Money.scale } }
    }
    #expect(bounds(.first, fine: 1, coarse: nil) == [-10, 0, -5])
    #expect(bounds(.first, fine: 2, coarse: nil) == [-6, -4, -5])
    #expect(bounds(.second, fine: nil, coarse: 1) == [-2, nil, -2])
}

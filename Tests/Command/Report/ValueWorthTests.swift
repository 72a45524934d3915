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

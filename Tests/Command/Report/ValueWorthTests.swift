import SKANCore
import Testing

@testable import SKANCommandReport

private func model(_ first: String, _ second: String = "", _ third: String = "") throws -> RevenueModel {
    let windows = [first, second, third].map { #"{"rules":[\#($0)]}"# }.joined(separator: ",")
    let document = [UInt8](#"{"schema":1,"id":"test","windows":[\#(windows)]}"#.utf8)
    return RevenueModel(try document.withUnsafeBytes { try ConversionModel.read(json: $0) })
}

private func known(_ worth: ValueWorth) throws -> ValueRevenue {
    guard case .known(let revenue) = worth else { throw Failure(.notFound, "not known") }
    return revenue
}

private func money(_ whole: Int128) -> Money { Money(units: whole * Money.scale) }

@Test func aValueIsWorthTheRangeThatHoldsForItsRules() throws {
    let model = try model(
        #"{"fine":0,"when":{}},{"fine":3,"when":{"revenue":{"min":5,"max":10}}},"#
            + #"{"fine":4,"when":{"revenue":{"min":10}}}"#)
    let range = try known(model.worth(.first, fine: 3, coarse: nil))
    #expect(range.range.least == money(5) && range.range.most == money(10) && !range.isRegistration)
    let open = try known(model.worth(.first, fine: 4, coarse: nil))
    #expect(open.range.least == money(10) && open.range.most == nil)
    let registered = try known(model.worth(.first, fine: 0, coarse: nil))
    #expect(registered.isRegistration && registered.range.least == .zero && registered.range.most == nil)
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

@Test func revenueSinceTheInstallIsCountedInTheFirstWindowAlone() throws {
    let rule = #""when":{"revenue":{"scope":"lifetime","min":5,"max":10}}}"#
    let model = try model(#"{"fine":3,"# + rule, #"{"coarse":1,"# + rule)
    #expect(try known(model.worth(.first, fine: 3, coarse: nil)).range.least == money(5))
    guard case .cumulative = model.worth(.second, fine: nil, coarse: 1) else {
        Issue.record("revenue since the install, in the second window")
        return
    }
}

@Test func modelsAreOfOneCurrency() throws {
    func read(_ currency: String) throws -> ConversionModel {
        let rules = #"{"rules":[{"fine":3}]},{"rules":[]},{"rules":[]}"#
        let document = [UInt8](#"{"schema":1,"id":"test","currency":"\#(currency)","windows":[\#(rules)]}"#.utf8)
        return try document.withUnsafeBytes { try ConversionModel.read(json: $0) }
    }
    var models = RevenueModels()
    let (dollars, euros) = (try read("USD"), try read("EUR"))
    #expect(models.add(dollars) && !models.add(euros) && models.currency == dollars.currency)
    #expect(models.model(dollars.version) != nil && models.model(euros.version) == nil && models.model(nil) == nil)
}

import SKANCore
import Testing

@testable import SKANCommandReport
@testable import SKANCommandRows
@testable import SKANTruth

/// 100 own installs, of which postbacks report 20 installs and 10 redownloads; 7 are too young to have reported.
private func app() throws -> ConstructedApp {
    var app = try ConstructedApp()
    try app.addInstalls(100, days: 45, fine: 2, revenue: [2])
    try app.addInstalls(7, days: 3, fine: 2, revenue: [2])
    app.addPostbacks(20, days: 45, fine: 2)
    app.addPostbacks(10, days: 45, fine: 2, conversion: .redownload)
    return app
}

@Test func redownloadsAndYoungInstallsAreNotOrganic() throws {
    let app = try app()
    let organic = app.reportWithOrganic().organic
    #expect(organic.installs == 70 && organic.storeInstalls == 100 && organic.reported == 30)
    #expect(try organic.answers.require()[Horizon.toDate.rawValue].figure.require().estimate == 140)
    let basis = app.basis()
    #expect(basis.left.young == 7 && basis.redownloads == 10)
    #expect(
        organic.sentence("USD").map { String(decoding: $0.utf8, as: UTF8.self) } == """
            Of the 100 own installs that are old enough to have reported, 70 are organic: postbacks report 30 installs \
            and redownloads. The organic ones have earned an estimated 140.00 (140.00 to 140.00) of 200.00 USD \
            to date.
            """)
}

@Test func aReportThatLeavesOutPostbacksHasNoOrganicInstalls() throws {
    for leave: (inout ReportFilter) -> Void in [
        { $0.network = [UInt8]("n".utf8) }, { $0.from = 0 }, { $0.to = ConstructedApp.now },
    ] {
        var filter = ReportFilter()
        leave(&filter)
        let organic = try app().reportWithOrganic(filter).organic
        #expect(organic.installs == nil && organic.answers == nil && organic.sentence("USD") == nil)
        #expect(organic.storeInstalls == 100)
    }
    var filter = ReportFilter()
    filter.app = 1
    #expect(try app().reportWithOrganic(filter).organic.installs == 70)
}

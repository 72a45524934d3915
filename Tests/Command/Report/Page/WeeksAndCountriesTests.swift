import SKANCore
import Testing

@testable import SKANCommandReport
@testable import SKANCommandRows
@testable import SKANTruth

/// A Monday, the 5th of January 2026, 00:00 UTC.
private let monday: Int64 = 1_767_571_200
private let week: Int64 = 7 * 86_400

/// How campaigns went from week to week, and the countries of their installs.
struct WeeksAndCountriesTests {
    private func observed(
        _ campaign: String = "39", received: Int64, country: String = "", _ conversion: AdConversion = .install,
        window: Window = .first, isWinning: Bool = true
    ) -> ObservedPostback {
        var observed = ObservedPostback(
            outcome: .counted, result: .valid, window: window, conversion: conversion, isWinning: isWinning, fine: 3,
            coarse: nil, decoding: .notDecoded, model: nil, network: [UInt8]("n".utf8),
            identifier: CampaignIdentifier([UInt8](campaign.utf8)[...]), app: nil, received: received,
            dates: EstimatedDates(from: received, until: received, untilUnlocked: received))
        observed.country = [UInt8](country.utf8)
        return observed
    }

    private func page(_ postbacks: [ObservedPostback], madeAt: Int64, _ filter: ReportFilter = ReportFilter()) -> String
    {
        var tally = Tally()
        for observed in postbacks { tally.add(observed, RevenueModels(), .none) }
        tally.end()
        let report = Report(
            store: "sqlite:p.db", madeAt: madeAt, filter: filter, tally: tally, currency: nil, hasRevenue: false,
            basis: nil, lines: ReportLines(tally, .none).lines)
        var text = ""
        report.writePage { text += $0.text }
        return text
    }

    /// The cells of each row of the table with this caption, without what is drawn in them.
    private func rows(_ page: String, _ caption: String) -> [[String]] {
        let table = page.pieces(from: "<caption>\(caption)", to: "</table>").first ?? ""
        return table.pieces(from: "<tr", to: "</tr>").filter { $0.contains("scope=\"row\"") }.map { row in
            [row.pieces(from: "<bdi>", to: "</bdi>").first ?? "All"]
                + row.pieces(from: "<td", to: "</td>").map { $0.pieces(from: "<span>", to: "</span>").first ?? "" }
        }
    }

    /// The moments at which the first weeks begin, and a time after each.
    private func mondays(_ count: Int64, later: Int64 = 0) -> [Int64] {
        (0..<count).map { number -> Int64 in monday + number * week + later }
    }

    private func weeks(_ arrivals: [Int64]) -> ArrivalWeeks {
        var weeks = ArrivalWeeks()
        for arrived in arrivals { weeks.addInstall(arrived: arrived) }
        return weeks
    }

    private func shown(_ arrivals: [Int64], madeAt: Int64, from: Int64? = nil, to: Int64? = nil) throws -> ShownWeeks {
        var filter = ReportFilter()
        (filter.from, filter.to) = (from, to)
        let shown = ShownWeeks(weeks(arrivals), filter, madeAt: madeAt)
        return try #require(shown)
    }

    @Test func weeksBeginOnMondays() {
        let first = CalendarWeek.number(of: monday)
        #expect(CalendarWeek.start(first) == monday)
        #expect(CalendarWeek.number(of: monday - 1) == first - 1 && CalendarWeek.number(of: monday + week - 1) == first)
        // The 1st of January 1970 was a Thursday.
        #expect(CalendarWeek.number(of: 0) == 0 && CalendarWeek.start(0) == -3 * 86_400)
        #expect(CalendarWeek.number(of: -3 * 86_400) == 0 && CalendarWeek.number(of: -3 * 86_400 - 1) == -1)
    }

    @Test func fourWholeWeeksAreComparedWithTheFourBefore() throws {
        let first = CalendarWeek.number(of: monday)
        let arrivals = mondays(10)
        let shown = try shown(arrivals, madeAt: monday + 9 * week + 3600)
        #expect(shown.all == first..<first + 10)
        #expect(shown.latest == first + 5..<first + 9 && shown.before == first + 1..<first + 5)
        #expect(!shown.isWhole(first + 9) && shown.isWhole(first))
        // On the next Monday the last week is over.
        let later = try self.shown(arrivals, madeAt: monday + 10 * week)
        #expect(later.latest == first + 6..<first + 10)
    }

    @Test func aWeekThatTheReportCutsIsNotWhole() throws {
        let first = CalendarWeek.number(of: monday)
        let arrivals = mondays(4, later: 86_400)
        let cut = try shown(arrivals, madeAt: monday + 90 * week, from: monday + 1, to: monday + 4 * week - 1)
        #expect(cut.compared == 1 && cut.latest == first + 2..<first + 3 && !cut.isWhole(first))
        let full = try shown(arrivals, madeAt: monday + 90 * week, from: monday, to: monday + 4 * week)
        #expect(full.compared == 2 && full.before == first..<first + 2)
    }

    @Test func noMoreThanHalfAYearIsShown() throws {
        let shown = try shown(mondays(40), madeAt: monday + 40 * week)
        #expect(shown.all.count == 26 && shown.all.upperBound == CalendarWeek.number(of: monday) + 40)
        #expect(ShownWeeks(weeks([]), ReportFilter(), madeAt: monday) == nil)
        let one = try self.shown([monday], madeAt: monday + week)
        #expect(one.compared == 0)
    }

    @Test(
        arguments: [
            (10, 15, "+50%"), (10, 5, "\u{2212}50%"), (1000, 1001, "±0%"), (1, 25, "+2,400%"), (3, 0, "\u{2212}100%"),
        ] as [(UInt64, UInt64, String)])
    func aChangeIsOfThePeriodBefore(before: UInt64, latest: UInt64, text: String) {
        #expect(changeText(from: before, to: latest).map { String(decoding: $0.utf8, as: UTF8.self) } == text)
    }

    @Test func aChangeFromNothingIsNew() {
        #expect(changeText(from: 0, to: 1).map { String(decoding: $0.utf8, as: UTF8.self) } == "new")
        #expect(changeText(from: 0, to: 0) == nil)
    }

    @Test func eachCampaignHasItsWeeks() {
        var postbacks = (0..<5).map { observed("39", received: monday + Int64($0 / 3) * week) }
        postbacks += [
            observed("40", received: monday + week, .redownload), observed("39", received: monday, window: .second),
            observed("39", received: monday + week, isWinning: false), observed("40", received: monday, .reengagement),
        ]
        let text = page(postbacks, madeAt: monday + 2 * week)
        #expect(
            rows(text, "Installs and redownloads by the week") == [
                ["All", "", "3", "3", "±0%"], ["39", "", "2", "3", "\u{2212}33%"], ["40", "", "1", "0", "new"],
            ])
        #expect(text.contains("title=\"2026-01-12 to 2026-01-18\">Last whole week</th>"))
        #expect(text.contains("<title>Installs by week: 3, 2</title>") && !text.contains("pale columns"))
        #expect(page(postbacks, madeAt: monday + week + 1).contains("; pale columns are incomplete weeks"))
        #expect(!page([observed(received: monday)], madeAt: monday + week).contains("Week by week"))
    }

    @Test func countriesOfCampaignsStandByTheirInstalls() {
        let installs: [(String, String, Int)] = [
            ("39", "DE", 3), ("39", "AT", 1), ("40", "AT", 3), ("40", "", 2), ("39", "de", 1),
        ]
        var postbacks = installs.flatMap { campaign, country, count in
            (0..<count).map { _ in observed(campaign, received: monday, country: country) }
        }
        // These tell of installs that were counted, or of none.
        postbacks += [
            observed(received: monday, country: "FR", window: .second),
            observed(received: monday, country: "FR", .reengagement),
        ]
        let text = page(postbacks, madeAt: monday)
        #expect(
            rows(text, "Installs and redownloads by country") == [
                ["All", "4", "3", "1", "2"], ["39", "1", "3", "1", "0"], ["40", "3", "0", "0", "2"],
            ])
        #expect(text.contains(">AT</th>") && !text.contains(">FR</th>"))
        #expect(!page([observed(received: monday)], madeAt: monday).contains("by country"))
    }

    @Test func sixCountriesHaveAColumnAndOthersOneTogether() {
        let codes = ["AT", "BE", "CH", "DE", "ES", "FR", "GB", "IT"]
        let postbacks = codes.enumerated().flatMap { place, code in
            (0..<10 - place).map { _ in observed(received: monday, country: code) }
        }
        #expect(
            rows(page(postbacks, madeAt: monday), "Installs and redownloads by country").first
                == ["All", "10", "9", "8", "7", "6", "5", "7", "0"])
    }

    @Test(arguments: ["d", "de", "DEU", "D1", "\u{C4}", "<b"])
    func aTextThatIsNoCountryIsUnknown(_ text: String) {
        #expect(CountryCode([UInt8](text.utf8)) == .unknown && CountryCode([UInt8](text.utf8)).name == nil)
    }
}

import SKANCore
import Testing

@testable import SKANCommandReport
@testable import SKANCommandRows
@testable import SKANTruth

/// The page of reports that are made by hand.
struct PageTests {
    private func line(
        _ level: ReportLevel, _ network: String? = nil, _ identifier: String? = nil, installs: UInt64 = 0,
        reengagements: UInt64 = 0
    ) -> ReportLine {
        var line = ReportLine(level: level)
        line.network = network.map { [UInt8]($0.utf8) }
        line.identifier = identifier.map { [UInt8]($0.utf8) }
        line.counts[.installs, .first].conversions[.install] = installs
        line.counts[.reengagements, .first].conversions[.reengagement] = reengagements
        return line
    }

    private func report(
        _ lines: [ReportLine], hasRevenue: Bool = false, basis: BroughtBasis? = nil
    ) -> Report {
        Report(
            store: "sqlite:<a>.db", madeAt: 1_769_853_600, filter: ReportFilter(), tally: Tally(), currency: nil,
            hasRevenue: hasRevenue, basis: basis, installsStore: "sqlite:own.db", lines: lines)
    }

    private func page(_ report: Report) -> String {
        var text = ""
        report.writePage { text += $0.text }
        return text
    }

    /// The rows of the table with this caption.
    private func rows(_ page: String, _ caption: String) -> [String] {
        let table = page.pieces(from: "<caption>\(caption)", to: "</table>").first ?? ""
        return table.pieces(from: "<tr", to: "</tr>").filter { $0.contains("scope=\"row\"") }
    }

    /// The one postback of the report that is written by hand has fine value 3.
    @Test func valuesThatNeverCameAreNotExplained() {
        var report = WrittenReport([]).report
        report.meanings = ValueMeanings(RevenueModels())
        let explained = report.fineValuesChart.meanings.map { String(decoding: $0.term.utf8, as: UTF8.self) }
        #expect(explained == ["3"])
    }

    @Test func aPageOfNothingSaysSoAndHasNoCharts() {
        let text = page(report([line(.total)]))
        #expect(text.hasPrefix("<!DOCTYPE html>\n") && text.hasSuffix("</script>\n</body>\n</html>\n"))
        #expect(text.contains("No postback was counted."))
        #expect(text.contains("Made 2026-01-31T10:00:00Z from <bdi>sqlite:&lt;a&gt;.db</bdi>; times are UTC."))
        #expect(!text.contains("<svg") && !text.contains("<h2>Campaigns</h2>"))
        #expect(text.contains("<li>Refused and not counted: 0</li>"))
    }

    @Test func withoutModelsCampaignsWithMostInstallsComeFirst() {
        let made = report([
            line(.total), line(.network, "a"), line(.campaign, "a", "1", installs: 1),
            line(.campaign, "a", "2", installs: 5), line(.network, "b"), line(.campaign, "b", "3", installs: 7),
            // It won nothing.
            line(.campaign, "b", "4"),
        ])
        let found = made.numberedCampaigns.map { String(decoding: $0.line.title, as: UTF8.self) }
        #expect(found == ["3", "2", "1"])
        #expect(made.numberedCampaigns.map(\.network) == [1, 0, 0])
    }

    @Test func noMoreThanTwoHundredCampaignsAreInTheFirstTable() {
        func made(_ count: UInt64) -> Report {
            report(
                [line(.total), line(.network, "n")] + (1...count).map { line(.campaign, "n", "\($0)", installs: $0) })
        }
        #expect(made(201).numberedCampaigns.count == 200)
        #expect(page(made(201)).contains("<p>The 200 largest of 201;"))
        #expect(!page(made(200)).contains("largest of"))
    }

    @Test func aNameStandsBeforeTheIdAndTheNetwork() {
        var campaign = line(.campaign, "one.example", "39", installs: 2)
        #expect(
            campaign.titleHTML(isAlone: true).text
                == "<bdi>39</bdi> <small><bdi class=\"id\">one.example</bdi></small>")
        campaign.name = [UInt8]("Autumn <1>".utf8)
        #expect(
            campaign.titleHTML(isAlone: false).text
                == "<bdi>Autumn &lt;1&gt;</bdi> <small><bdi class=\"id\">39</bdi></small>")
        #expect(line(.campaign, "", "").titleHTML(isAlone: false).text == "<bdi>no campaign</bdi>")
    }

    @Test func aLongIdBreaksAfterItsDotsAlone() {
        let long = line(.network, "a-network-with-a-long-name.and.more.example")
        #expect(long.titleHTML(isAlone: false).text == "<bdi>a-network-with-a-long-name.and.more.example</bdi>")
        var named = long
        named.networkName = [UInt8]("Long".utf8)
        #expect(
            named.titleHTML(isAlone: false).text
                == "<bdi>Long</bdi> <small><bdi>a-network-with-a-long-name.<wbr>and.<wbr>more.<wbr>example</bdi></small>"
        )
    }

    @Test func reengagementsHaveATableOfTheLinesThatHaveAny() {
        let with = page(
            report([
                line(.total, reengagements: 2), line(.network, "taps", reengagements: 2),
                line(.network, "installs", installs: 1),
            ]))
        let found = rows(with, "Re-engagements of networks").joined()
        #expect(found.contains("<bdi>taps</bdi>") && !found.contains("<bdi>installs</bdi>"))
        #expect(!page(report([line(.total)])).contains("Re-engagements of networks"))
    }

    @Test func aCostThatIsOfSomeCampaignsAloneIsMarked() {
        var total = line(.total, installs: 3)
        var network = line(.network, "one", installs: 3)
        for keep in [\ReportLine.counts, \ReportLine.paid] {
            total[keyPath: keep].cost = Money(units: 3 * Money.scale)
            network[keyPath: keep].cost = Money(units: 3 * Money.scale)
        }
        total.paid[.installs, .first].conversions[.install] = 3
        network.paid[.installs, .first].conversions[.install] = 1
        let text = page(report([total, network]))
        #expect(text.contains("<bdi>all</bdi></th>") && text.contains("<bdi>one</bdi> *</th>"))
        #expect(text.contains("<p>* Cost per install"))
        #expect(!page(report([total])).contains("<p>* Cost per install"))
    }

    @Test func daysWithoutInstallsHaveTheirPlace() {
        let dates = EstimatedDates(from: 0, until: 2 * 86_400, untilUnlocked: 86_400)
        func days(_ numbers: [Int64]) -> [String] {
            let chart = installsOfDays(numbers.map { ArrivalDay(day: $0, installs: 1, installed: dates) })
            return chart.rows.map { String(decoding: $0.label.utf8, as: UTF8.self) }
        }
        #expect(days([]).isEmpty)
        #expect(days([0, 1, 3]) == ["1970-01-01", "1970-01-02", "1970-01-03", "1970-01-04"])
        #expect(days([0, 1100]).count == 1101)
        // A wrong clock.
        #expect(days([0, 1101]) == ["1970-01-01", "1973-01-06"])
    }

    @Test func monthsAreNamedAtTheirFirstWeekAndEightAtMost() {
        func ticks(_ count: Int64) -> [String] {
            // The 5th of January 1970 is a Monday.
            weekTicks((0..<count).map { (4 + $0 * 7) * 86_400 }).compactMap { tick in
                tick.map { String(decoding: $0.utf8, as: UTF8.self) }
            }
        }
        #expect(ticks(2) == ["1970-01-05", "1970-01-12"])
        #expect(ticks(10) == ["1970-01", "1970-02", "1970-03"])
        #expect(ticks(104).count == 8 && ticks(104).first == "1970-01")
    }

    @Test func aRangeOfDatesTellsWhatALockWouldChange() {
        let dates = EstimatedDates(from: 0, until: 2 * 86_400, untilUnlocked: 86_400)
        #expect(
            String(decoding: rangeText(dates).utf8, as: UTF8.self)
                == "1970-01-01 to 1970-01-02; to 1970-01-03 if locked")
    }

    /// Answers until the ends of the windows and to date, where no own install is older.
    private func byHorizon(_ answers: [BroughtAnswer]) -> [BroughtAnswer] {
        answers.prefix(3) + Horizon.afterWindows.map { _ in .none(.tooFewInstalls) } + answers.suffix(1)
    }

    @Test func estimatesStandWithTheirIntervalsAndWhatTheyRestOn() {
        let figure = BroughtAnswer.figure(BroughtFigure(25, (20, 50)))
        let answers = byHorizon([figure, .none(.tooFewInstalls), figure, figure])
        var network = line(.network, "one", installs: 3)
        network.brought = BroughtLine(answers: answers, paid: answers)
        network.paid.cost = Money(units: 100 * Money.scale)
        network.counts.cost = Money(units: 100 * Money.scale)
        var total = network
        total.network = nil
        let told = [PostbackValueCount(key: PostbackValueKey(line: 0, model: 254, day: 0, value: .hidden), count: 3)]
        let organic = OrganicInstalls(
            storeInstalls: 7, reported: 3, installs: 4, answers: answers, storeAnswers: answers, excess: (nil, nil))
        let basis = BroughtBasis(
            InstallGroups(RevenueModels(), now: 0), told, organic, PostbackFacts(), [])
        var text = ""
        report([total, network], hasRevenue: true, basis: basis).writePage { text += $0.text }
        #expect(
            text.contains(
                "<b>100.00</b> spent on ads has earned an estimated <b>25</b> (20 to 50) so far, a return of "
                    + "<b>25%</b> (20% to 50%)."))
        #expect(
            text.contains("<td data-l=\"to date\"><span>25%<small>20% to 50%</small></span></td>")
                && text.contains("<td data-l=\"day 7\"><span>–<small>too few</small></span></td>"))
        #expect(text.contains("Of the 7 own installs that are old enough to have reported, 4 are organic"))
        #expect(text.contains("3 (100.0 %) none.") && text.contains("sqlite:own.db"))
        for assumption in BroughtBasis.assumptions { #expect(text.contains(("<li>\(assumption)</li>" as HTML).text)) }
        let without = page(report([total, network]))
        #expect(!without.contains("What the estimates rest on"))
    }

    @Test func campaignsWithoutAnEstimateAreNamedInOneSentenceForEachReason() {
        let figure = BroughtAnswer.figure(BroughtFigure(25, (20, 50)))
        func campaign(_ name: String, _ answers: [BroughtAnswer]) -> ReportLine {
            var made = line(.campaign, "n", name, installs: 1)
            made.brought = BroughtLine(answers: byHorizon(answers), paid: [])
            return made
        }
        var total = line(.total, installs: 4)
        total.brought = BroughtLine(answers: byHorizon([figure, figure, figure, figure]), paid: [])
        let few = BroughtAnswer.none(.tooFewInstalls, needed: 12)
        let made = report([
            total, campaign("39", [figure, figure, few, few]), campaign("40", [figure, figure, few, few]),
            campaign("41", [.none(.noInstalls), figure, figure, figure]),
            campaign("42", [figure, figure, figure, figure]),
        ])
        let sentences = made.estimateGaps(.campaign).map { String(decoding: $0.utf8, as: UTF8.self) }
        #expect(sentences.count == 2 && made.estimateGaps(.total).isEmpty)
        #expect(
            sentences.first
                == "No revenue can be estimated until day 2 for 1 campaign, because no postback reports an install or "
                + "redownload: 41, n."
        )
        #expect(
            sentences.last?.hasPrefix("No revenue can be estimated until day 35 and to date for 2 campaigns: ") == true)
        #expect(sentences.last?.hasSuffix("would take: 39, n: about 12 more; 40, n: about 12 more.") == true)
    }

    @Test func aNameThatIsTooLongIsCutBeforeTheId() {
        var campaign = line(.campaign, "n", "5239")
        campaign.name = [UInt8]("Größte Kampagne".utf8)
        #expect(String(decoding: campaign.title, as: UTF8.self) == "Größte Kampagne (5239)")
        #expect(String(decoding: campaign.title(columns: 17), as: UTF8.self) == "Größte Ka\u{2026} (5239)")
        campaign.name = []
        #expect(String(decoding: campaign.title(columns: 17), as: UTF8.self) == "5239")
    }
}

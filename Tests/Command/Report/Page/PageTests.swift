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

    private func title(_ chart: Chart) -> String { String(decoding: chart.title.utf8, as: UTF8.self) }

    /// The labels of a chart's table.
    private func labels(_ html: HTML) -> [String] {
        html.text.split(separator: "<th scope=\"row\"><bdi>").dropFirst().map { String($0.prefix { $0 != "<" }) }
    }

    @Test func aPageOfNothingSaysSoAndHasNoCharts() {
        let text = page(report([line(.total)]))
        #expect(text.hasPrefix("<!DOCTYPE html>\n") && text.hasSuffix("</main>\n</body>\n</html>\n"))
        #expect(text.contains("<p>No postback was counted.</p>"))
        #expect(text.contains("Made 2026-01-31T10:00:00Z from <bdi>sqlite:&lt;a&gt;.db</bdi>. Times are UTC.</p>"))
        #expect(!text.contains("<svg"))
        #expect(text.contains("<dt>Hidden values</dt><dd>–</dd>"))
        #expect(text.contains("<li>Refused and not counted: 0</li>"))
    }

    @Test func theLargestLinesComeFirstAndThoseOfOneSizeInTheirOrder() {
        let made = report([
            line(.total), line(.network, "small", installs: 1), line(.network, "one", installs: 5),
            line(.network, "", installs: 7), line(.network, "other", installs: 5),
        ])
        #expect(labels(chartOfBars(made.chartByNetwork(.installs))) == ["no network", "one", "other", "small"])
    }

    @Test func noMoreThanTwentyLinesAreDrawn() {
        let networks = (1...21).map { line(.network, "n\($0)", installs: UInt64($0)) }
        let all = report([line(.total)] + networks)
        let few = report([line(.total)] + networks.dropFirst())
        #expect(labels(chartOfBars(all.chartByNetwork(.installs))) == (2...21).reversed().map { "n\($0)" })
        #expect(title(all.chartByNetwork(.installs)) == "Installs by network, the 20 largest of 21")
        #expect(title(few.chartByNetwork(.installs)) == "Installs by network")
    }

    @Test func aCampaignIsNamedWithItsNetwork() {
        let made = report([
            line(.total), line(.campaign, "one.example", "39", installs: 2), line(.campaign, "", "", installs: 1),
        ])
        #expect(labels(chartOfBars(made.chartByCampaign(.installs))) == ["39, one.example", "no campaign, no network"])
    }

    @Test func reengagementsHaveATableOfTheLinesThatHaveAny() {
        let with = page(
            report([
                line(.total, reengagements: 2), line(.network, "taps", reengagements: 2),
                line(.network, "installs", installs: 1),
            ]))
        let table = with.split(separator: "aria-label=\"Re-engagements\"").last?.prefix { $0 != "\u{0}" } ?? ""
        let rows = table.split(separator: "</table>").first ?? ""
        #expect(rows.contains("<bdi>taps</bdi>") && !rows.contains("<bdi>installs</bdi>"))
        #expect(!page(report([line(.total)])).contains("aria-label=\"Re-engagements\""))
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
            let chart = chartOfDays(numbers.map { ArrivalDay(day: $0, installs: 1, installed: dates) })
            return labels(chartOfColumns(chart))
        }
        #expect(days([]).isEmpty)
        #expect(days([0, 1, 3]) == ["1970-01-01", "1970-01-02", "1970-01-03", "1970-01-04"])
        #expect(days([0, 1100]).count == 1101)
        // A wrong clock.
        #expect(days([0, 1101]) == ["1970-01-01", "1973-01-06"])
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
        report([total, network], basis: basis).writePage { text += $0.text }
        #expect(
            text.contains("25.00 (20.00 to 50.00)")
                && text.contains("<td>25.0%<small>20.0%&nbsp;to 50.0%</small></td>"))
        #expect(
            text.contains("<td>25.00<small>20.00&nbsp;to 50.00</small></td>")
                && text.contains("<td>–<small>too&nbsp;few</small>")
        )
        // The longest thing is the interval's upper end.
        for place in [#"x1="40.000%""#, #"x2="100.000%""#, #"width="50.000%""#] { #expect(text.contains(place)) }
        #expect(text.contains("Of the 7 own installs that are old enough to have reported, 4 are organic"))
        #expect(text.contains("3 (100.0 %) none.") && text.contains("sqlite:own.db"))
        for assumption in BroughtBasis.assumptions { #expect(text.contains(("<li>\(assumption)</li>" as HTML).text)) }
        let without = page(report([total, network]))
        #expect(!without.contains("What the estimates rest on") && !without.contains("svg .e"))
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

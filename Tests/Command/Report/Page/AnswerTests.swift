import SKANCore
import Testing

@testable import SKANCommandReport
@testable import SKANCommandRows
@testable import SKANTruth

/// The page's first sentences and the verdicts say what the report's figures say, and no more.
struct AnswerTests {
    private func written(_ chances: [Double?], target: Double? = nil) -> WrittenReport {
        var written = WrittenReport([(0.63, 0.57...0.70), (0.41, 0.35...0.47)])
        let members = [[6.0, 6, 6, 6, 6], [4.0, 4, 4, 4, 4]].enumerated().map { place, drawn in
            CampaignComparison.Member(line: place + 2, installs: 1000, drawn: drawn, divisor: 10)
        }
        for comparison in CampaignComparison.all(members) {
            written.lines[comparison.line].brought?.comparison = comparison
        }
        written.target = ReturnTarget([UInt8]("60%@D35".utf8))
        for (place, chance) in chances.enumerated() { written.lines[place + 2].brought?.targetChance = chance }
        written.lines[0].brought?.targetChance = target
        return written
    }

    private func answer(_ written: WrittenReport) -> String {
        written.page.pieces(from: "<p class=\"answer\">", to: "</p>").first ?? ""
    }

    @Test func moneyIntervalTargetAndCampaignsAreInTheFirstParagraph() {
        #expect(
            answer(written([0.7, 0.01], target: 0.03)) == """
                <b>1,000 USD</b> spent on ads has earned an estimated <b>500 USD</b> (400 to 600) so far, a return of \
                <b>50%</b> (40% to 60%). The target of 60% by day 35 is <b>3% likely</b>. Best by day 35: \
                <b><bdi>Campaign 0</bdi></b>, 63%; weakest: <b><bdi>Campaign 1</bdi></b>, 41%. 
                """)
    }

    @Test func whatIsNotDecidedIsNotSaidToBe() {
        var open = written([0.7, 0.01], target: 0.03)
        let members = [[6.0, 3, 6, 3, 3], [4.0, 4, 4, 4, 4]].enumerated().map { place, drawn in
            CampaignComparison.Member(line: place + 2, installs: 1000, drawn: drawn, divisor: 10)
        }
        for comparison in CampaignComparison.all(members) {
            open.lines[comparison.line].brought?.comparison = comparison
        }
        #expect(answer(open).contains("Neither is certain yet: chance may have ordered them."))
    }

    /// Its estimate may rest on a few installs, one of which paid a lot.
    @Test func theHighestEstimateIsNotTheBestCampaignIfAnotherIsLikelyBetter() {
        var report = written([0.7, 0.01], target: 0.03)
        let members = [[1.0, 1, 1, 1, 90], [4.0, 4, 4, 4, 4]].enumerated().map { place, drawn in
            CampaignComparison.Member(line: place + 2, installs: 1000, drawn: drawn, divisor: 10)
        }
        for comparison in CampaignComparison.all(members) {
            report.lines[comparison.line].brought?.comparison = comparison
        }
        #expect(
            answer(report).contains("Best by day 35: <b><bdi>Campaign 1</bdi></b>, 41%; weakest: <b><bdi>Campaign 0"))
    }

    @Test func aTargetWithoutAnEstimateIsNotGuessed() {
        #expect(answer(written([nil, nil])).contains("How likely the target of 60% by day 35 is cannot be estimated."))
    }

    @Test func aVerdictIsTheTargetsFromEightyPercentOn() throws {
        let report = written([0.8, 0.2]).report
        let verdicts = try [2, 3].map { try #require(report.verdict(report.lines[$0])) }
        #expect(verdicts.map(\.judgement) == [.good, .bad])
        #expect(verdicts.map { text($0.words) } == ["Reaches the target", "Misses the target"])
        #expect(text(verdicts[0].reason).hasPrefix("80% likely; better than the others ("))
        #expect(text(verdicts[1].reason).hasPrefix("20% likely; weaker than the others ("))
        let open = written([0.79, 0.21]).report
        #expect([2, 3].map { open.verdict(open.lines[$0])?.judgement } == [.open, .open])
    }

    @Test func withoutATargetTheIntervalStandsBesideTheCost() {
        let report = WrittenReport([(1.2, 1...1.4), (1.1, 0.99...1.4), (0.9, 0.8...1), (0.9, 0.8...0.99)]).report
        let judgements = (2...5).map { report.verdict(report.lines[$0])?.judgement }
        #expect(judgements == [.good, .open, .open, .bad])
    }

    @Test func whyThereIsNoEstimateIsTheVerdict() throws {
        var written = WrittenReport([(1, 1...1)])
        let few = Horizon.allCases.map { _ in BroughtAnswer.none(.tooFewInstalls, needed: 40) }
        written.lines[2].brought = BroughtLine(answers: few, paid: few)
        let verdict = try #require(written.report.verdict(written.lines[2]))
        #expect(verdict.judgement == .unknown && text(verdict.reason) == "too few: about 40 more own installs")
    }

    private func text(_ message: Message) -> String { String(decoding: message.utf8, as: UTF8.self) }
}

struct PageSizeTests {
    @Test func thirtyCampaignsAndTwentySixWeeksHaveAPageOfFourHundredKilobytesAtMost() {
        var written = WrittenReport((0..<30).map { (0.3 + Double($0) / 40, 0.2...1.1) })
        written.weeks = 26
        written.target = ReturnTarget([UInt8]("60%@D35".utf8))
        for place in 2..<written.lines.count { written.lines[place].brought?.targetChance = 0.5 }
        let page = written.page
        #expect(page.utf8.count <= 400_000, "\(page.utf8.count)")
        #expect(page.pieces(from: "<table class=\"sorts\">", to: "</table>").first?.contains("Campaign 29") == true)
    }
}

import SKANCore

@testable import SKANCommandReport
@testable import SKANCommandRows
@testable import SKANTruth

/// A report with estimates that is written by hand: networks of campaigns, each with a cost and a return on it.
struct WrittenReport {
    var lines: [ReportLine]
    var target: ReturnTarget?
    /// The number of weeks of install, from the 5th of January 2026 on.
    var weeks = 0

    /// `returns`: of each campaign of the one network "n", the return on ad spend and its interval.
    init(_ returns: [(Double, ClosedRange<Double>)]) {
        lines = [ReportLine.written(.total, "all"), ReportLine.written(.network, "n")]
        for (place, each) in returns.enumerated() {
            var line = ReportLine.written(.campaign, "n", "\(10 + place)", name: "Campaign \(place)")
            line.earn(each.0, each.1)
            lines.append(line)
        }
        for place in 0...1 { lines[place].earn(0.5, 0.4...0.6) }
    }

    var report: Report {
        var total = lines
        for week in 0..<weeks {
            total[0].brought?.weeks.append(
                BroughtSpan(
                    start: 1_767_571_200 + Int64(week) * 604_800, installs: UInt64(100 + week),
                    cost: Money(dollars: 50),
                    brought: BroughtAnswers(
                        all: WrittenReport.answers(20, 10...40), paid: WrittenReport.answers(20, 10...40))))
        }
        let none = WrittenReport.answers(0, 0...0)
        let organic = OrganicInstalls(
            storeInstalls: 70, reported: 30, installs: 40, answers: none, storeAnswers: none, excess: (nil, nil))
        return Report(
            store: "sqlite:p.db", madeAt: 1_785_000_000, filter: ReportFilter(), tally: tally,
            currency: Currency(("USD" as StaticString).bytes),
            hasRevenue: true,
            basis: BroughtBasis(InstallGroups(RevenueModels(), now: 0), [], organic, PostbackFacts(), []),
            installsStore: "sqlite:own.db", target: target, lines: total)
    }

    /// One postback was counted, so that the page has all its parts.
    private var tally: Tally {
        var tally = Tally()
        tally.add(
            ObservedPostback(
                outcome: .counted, result: .valid, window: .first, conversion: .install, isWinning: true, fine: 3,
                coarse: nil, decoding: .notDecoded, model: nil, network: nil, identifier: CampaignIdentifier([]),
                app: nil,
                received: 1_770_000_000, dates: EstimatedDates(from: 0, until: 0, untilUnlocked: 0)),
            RevenueModels(), .none)
        tally.end()
        return tally
    }

    /// One estimate until each horizon.
    static func answers(_ estimate: Double, _ interval: ClosedRange<Double>) -> [BroughtAnswer] {
        Horizon.allCases.map { _ in .figure(BroughtFigure(estimate, (interval.lowerBound, interval.upperBound))) }
    }

    var page: String {
        var text = ""
        report.writePage { text += $0.text }
        return text
    }
}

extension ReportLine {
    static func written(_ level: ReportLevel, _ network: String, _ identifier: String? = nil, name: String? = nil)
        -> ReportLine
    {
        var line = ReportLine(level: level)
        line.network = level == .total ? nil : [UInt8](network.utf8)
        line.identifier = identifier.map { [UInt8]($0.utf8) }
        line.name = name.map { [UInt8]($0.utf8) }
        line.counts[.installs, .first].conversions[.install] = 1000
        line.counts[.installs, .first].carried.fine = 600
        line.counts[.installs, .first].carried.hidden = 400
        return line
    }

    /// A cost of 1,000 of which this share is earned until each horizon.
    mutating func earn(_ estimate: Double, _ interval: ClosedRange<Double>) {
        counts.cost = Money(dollars: 1000)
        paid = counts
        let all = WrittenReport.answers(estimate * 1000, interval.lowerBound * 1000...interval.upperBound * 1000)
        brought = BroughtLine(answers: all, paid: all)
    }
}

extension Money {
    init(dollars: Int128) { self.init(units: dollars * Money.scale) }
}

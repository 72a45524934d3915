import SKANCommandOutput
import SKANCore
import SKANTruth

extension JSONWriter {
    /// Writes "estimated_revenue": the line's estimates for each horizon, its comparison with other lines, its later
    /// windows and its weeks.
    mutating func writeEstimates(of line: ReportLine, _ lines: [ReportLine]) {
        guard let brought = line.brought else { return }
        object("estimated_revenue") {
            $0.writeHorizons(brought.figures, cost: line.paid.cost)
            $0.write([.targetChance], of: line)
            if let comparison = brought.comparison { $0.write(comparison, of: line, lines) }
            $0.write(brought.later)
            if !brought.weeks.isEmpty { $0.write(brought.weeks) }
        }
    }

    private mutating func write(_ shown: [ReportFigure], of line: ReportLine) {
        let figures = Figures(line.counts, .installs)
        write(shown) { $0.value(line, figures) }
    }

    /// Writes "later_windows": how many values windows 1 and 2 report, compared with how many are expected.
    private mutating func write(_ later: [LaterCheck]) {
        objects("later_windows", later) { json, check in
            json.member("window", Int64(check.window.rawValue))
            json.member("values", text: [UInt8](check.kind.key.bytes))
            json.member("installs", Int64(check.installs))
            json.member("reported", Int64(check.told))
            json.member("expected", text: BroughtFigure.text(check.expected, places: 1)?.utf8)
        }
    }

    private mutating func writeHorizons(_ brought: BroughtAnswers, cost: Money?) {
        for horizon in Horizon.allCases {
            object(horizon.key) { $0.write(ReportFigure.ofHorizons) { $0.value(brought, cost, horizon) } }
        }
    }

    /// Writes "weeks": the estimates by week of install.
    private mutating func write(_ weeks: [BroughtSpan]) {
        objects("weeks", weeks) { json, week in
            json.member("week", text: utcDay(week.start).utf8)
            json.write("installs_and_redownloads", count: week.installs)
            json.write("cost", money: week.cost)
            json.writeHorizons(week.brought, cost: week.cost)
        }
    }

    /// Writes "comparison": how the campaign compares with the other campaigns.
    private mutating func write(_ comparison: CampaignComparison, of line: ReportLine, _ lines: [ReportLine]) {
        object("comparison") {
            $0.write([.betterChance], of: line)
            $0.objects("better_than", comparison.betterThan) { json, better in
                let other = lines[better.line]
                json.member("network", text: other.network)
                json.member(other.dimension.keys.line, text: other.identifier.known)
                json.member("probability", text: FigureValue.chance(better.chance).exact?.utf8)
            }
            $0.write([.installsNeeded], of: line)
        }
    }

    /// Writes "target", and "compared_by": the measure by which campaigns are compared.
    mutating func write(_ target: ReturnTarget?, hasCosts: Bool) {
        if let target {
            object("target") {
                $0.member("return_on_ad_spend", text: BroughtFigure.text(target.share, places: 4)?.utf8)
                $0.member("horizon", text: [UInt8](target.horizon.key.bytes))
            }
        } else {
            key("target")
            null()
        }
        object("compared_by") {
            $0.member("figure", text: [UInt8]((hasCosts ? "return_on_ad_spend" : "estimated_revenue_per_install").utf8))
            $0.member("horizon", text: [UInt8]((target?.horizon ?? ReturnTarget.usualHorizon).key.bytes))
        }
    }

    /// Writes "organic" and "store_installs". Together, the report's installs and the organic ones are the store's
    /// installs. If the report leaves out postbacks by network or time, organic installs are not known and "organic" is
    /// null.
    mutating func write(_ organic: OrganicInstalls) {
        if let answers = organic.answers {
            write("organic", organic.installs, answers)
        } else {
            key("organic")
            null()
        }
        write("store_installs", organic.storeInstalls, organic.storeAnswers)
    }

    private mutating func write(_ name: StaticString, _ installs: UInt64?, _ answers: [BroughtAnswer]) {
        object(name) {
            $0.member("installs", installs.map { Int64(clamping: $0) })
            let brought = BroughtAnswers(all: answers, paid: answers)
            for horizon in Horizon.allCases { $0.write(horizon.key, brought, horizon) }
        }
    }

    /// Writes the estimated revenue with its interval, or the reason why there is none.
    mutating func write(_ name: StaticString, _ brought: BroughtAnswers, _ horizon: Horizon) {
        object(name) { $0.write([.estimatedRevenue, .whyNoEstimate]) { $0.value(brought, nil, horizon) } }
    }

    /// Writes "basis": the data, warnings and assumptions behind the estimates.
    mutating func write(_ basis: BroughtBasis, of report: Report) {
        let networks = report.networkTitles
        object("basis") {
            $0.member("installs_store", text: report.installsStore.utf8)
            $0.writeInstalls(basis)
            $0.writeReported(basis)
            $0.objects("warnings", basis.warnings) { json, warning in
                json.member("assumption", text: [UInt8](warning.key.bytes))
                json.member("share", text: BroughtFigure.text(warning.share, places: 4)?.utf8)
                json.member("text", text: warning.sentence(networks).utf8)
            }
            $0.key("assumptions")
            $0.beginArray()
            for assumption in BroughtBasis.assumptions { $0.string(assumption) }
            $0.endArray()
        }
    }

    /// Writes how many installs in the store the estimates are based on, and how many are left out.
    private mutating func writeInstalls(_ basis: BroughtBasis) {
        object("installs") {
            for horizon in Horizon.allCases { $0.write(horizon.key, count: basis.installs[horizon.rawValue]) }
        }
        object("installs_left_out") {
            for reason in basis.left.reasons { $0.write(reason.key, count: reason.count) }
        }
        write("installs_with_unrated_revenue", count: basis.left.unrated)
        objects("other_models", basis.left.versions) { json, left in
            json.member("model", text: Message(writing: left.version.write).utf8)
            json.write("installs", count: left.installs)
        }
    }

    /// Writes how many installs postbacks report, and how many installs in the store have each reported value.
    private mutating func writeReported(_ basis: BroughtBasis) {
        object("reported_installs") {
            $0.write("fine", count: basis.fine)
            $0.write("coarse", count: basis.coarse)
            $0.write("hidden", count: basis.hidden)
            $0.write("redownloads", count: basis.redownloads)
        }
        object("too_young") {
            for horizon in Horizon.dated { $0.write(horizon.key, count: basis.young[horizon.rawValue]) }
        }
        member("fewest_installs_behind_a_value", basis.fewestBehindValue.map { Int64(clamping: $0) })
        objects("values", basis.behind) { json, told in
            json.member("model", text: Message(writing: told.model.write).utf8)
            json.member("fine", Int64(told.value))
            json.write("installs", count: told.installs)
            json.write("postbacks", count: told.postbacks)
        }
    }
}

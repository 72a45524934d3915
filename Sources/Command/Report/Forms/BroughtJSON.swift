import SKANCommandOutput
import SKANCore
import SKANTruth

extension JSONWriter {
    /// "estimated_revenue": the estimates until each horizon, how the line compares, its later windows and its weeks.
    mutating func writeEstimates(of line: ReportLine, _ lines: [ReportLine]) {
        guard let brought = line.brought else { return }
        key("estimated_revenue")
        beginObject()
        writeHorizons(brought.figures, cost: line.paid.cost)
        write([.targetChance], of: line)
        if let comparison = brought.comparison { write(comparison, of: line, lines) }
        write(brought.later)
        if !brought.weeks.isEmpty { write(brought.weeks) }
        endObject()
    }

    private mutating func write(_ shown: [ReportFigure], of line: ReportLine) {
        let figures = Figures(line.counts, .installs)
        write(shown) { $0.value(line, figures) }
    }

    /// Writes "later_windows".
    private mutating func write(_ later: [LaterCheck]) {
        key("later_windows")
        beginArray()
        for check in later {
            beginObject()
            member("window", Int64(check.window.rawValue))
            member("values", text: [UInt8](check.kind.key.bytes))
            member("installs", Int64(check.installs))
            member("reported", Int64(check.told))
            member("expected", text: BroughtFigure.text(check.expected, places: 1)?.utf8)
            endObject()
        }
        endArray()
    }

    private mutating func writeHorizons(_ brought: BroughtAnswers, cost: Money?) {
        for horizon in Horizon.allCases {
            key(horizon.key)
            beginObject()
            write(ReportFigure.ofHorizons) { $0.value(brought, cost, horizon) }
            endObject()
        }
    }

    /// Writes "weeks" of install.
    private mutating func write(_ weeks: [BroughtSpan]) {
        key("weeks")
        beginArray()
        for week in weeks {
            beginObject()
            member("week", text: utcDay(week.start).utf8)
            write("installs_and_redownloads", count: week.installs)
            write("cost", money: week.cost)
            writeHorizons(week.brought, cost: week.cost)
            endObject()
        }
        endArray()
    }

    /// Writes "comparison", with the other campaigns.
    private mutating func write(_ comparison: CampaignComparison, of line: ReportLine, _ lines: [ReportLine]) {
        key("comparison")
        beginObject()
        write([.betterChance], of: line)
        key("better_than")
        beginArray()
        for (place, chance) in comparison.betterThan {
            beginObject()
            member("network", text: lines[place].network)
            member(lines[place].dimension.keys.line, text: lines[place].identifier.known)
            member("probability", text: FigureValue.chance(chance).exact?.utf8)
            endObject()
        }
        endArray()
        write([.installsNeeded], of: line)
        endObject()
    }

    /// Writes "target" and the measure that campaigns are compared by.
    mutating func write(_ target: ReturnTarget?, hasCosts: Bool) {
        key("target")
        if let target {
            beginObject()
            member("return_on_ad_spend", text: BroughtFigure.text(target.share, places: 4)?.utf8)
            member("horizon", text: [UInt8](target.horizon.key.bytes))
            endObject()
        } else {
            null()
        }
        key("compared_by")
        beginObject()
        member("figure", text: [UInt8]((hasCosts ? "return_on_ad_spend" : "estimated_revenue_per_install").utf8))
        member("horizon", text: [UInt8]((target?.horizon ?? ReturnTarget.usualHorizon).key.bytes))
        endObject()
    }

    /// Writes "organic" and "store_installs". The store's installs are those of the total plus the organic ones. A
    /// report that leaves out postbacks by network or time has no organic ones.
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
        key(name)
        beginObject()
        member("installs", installs.map { Int64(clamping: $0) })
        let brought = BroughtAnswers(all: answers, paid: answers)
        for horizon in Horizon.allCases {
            key(horizon.key)
            write(brought, horizon)
        }
        endObject()
    }

    /// The estimated revenue with its interval, or why there is none.
    mutating func write(_ brought: BroughtAnswers, _ horizon: Horizon) {
        beginObject()
        write([.estimatedRevenue, .whyNoEstimate]) { $0.value(brought, nil, horizon) }
        endObject()
    }

    /// Writes "basis".
    mutating func write(_ basis: BroughtBasis, of report: Report) {
        let networks = report.networkTitles
        key("basis")
        beginObject()
        member("installs_store", text: report.installsStore.utf8)
        key("installs")
        beginObject()
        for horizon in Horizon.allCases { write(horizon.key, count: basis.installs[horizon.rawValue]) }
        endObject()
        key("installs_left_out")
        beginObject()
        for reason in basis.left.reasons { write(reason.key, count: reason.count) }
        endObject()
        write("installs_with_unrated_revenue", count: basis.left.unrated)
        key("other_models")
        beginArray()
        for (version, installs) in basis.left.versions {
            beginObject()
            member("model", text: Message(writing: version.write).utf8)
            write("installs", count: installs)
            endObject()
        }
        endArray()
        key("reported_installs")
        beginObject()
        write("fine", count: basis.fine)
        write("coarse", count: basis.coarse)
        write("hidden", count: basis.hidden)
        write("redownloads", count: basis.redownloads)
        endObject()
        key("too_young")
        beginObject()
        for horizon in Horizon.dated { write(horizon.key, count: basis.young[horizon.rawValue]) }
        endObject()
        member("fewest_installs_behind_a_value", basis.fewestBehindValue.map { Int64(clamping: $0) })
        key("values")
        beginArray()
        for told in basis.behind {
            beginObject()
            member("model", text: Message(writing: told.model.write).utf8)
            member("fine", Int64(told.value))
            write("installs", count: told.installs)
            write("postbacks", count: told.postbacks)
            endObject()
        }
        endArray()
        key("warnings")
        beginArray()
        for warning in basis.warnings {
            beginObject()
            member("assumption", text: [UInt8](warning.key.bytes))
            member("share", text: BroughtFigure.text(warning.share, places: 4)?.utf8)
            member("text", text: warning.sentence(networks).utf8)
            endObject()
        }
        endArray()
        key("assumptions")
        beginArray()
        for assumption in BroughtBasis.assumptions { string(assumption) }
        endArray()
        endObject()
    }
}

import SKANCommandOutput
import SKANCommandRows
import SKANCore
import SKANTruth

/// The report as a text table, with lines down to a given level.
extension Report {
    func printTable(_ deepest: ReportLevel) {
        var table = TableText()
        writeDates(to: &table)
        writeLines(deepest, to: &table)
        writeWindows(.installs, to: &table)
        if hasRevenue {
            table.write(tally[values: .installs].unpriced.reasons, "values without known revenue")
        }
        writeApps(deepest, to: &table)
        if let basis { writeBrought(basis, deepest, to: &table) }
        if hasReengagements {
            writeReengagements(deepest, to: &table)
            writeWindows(.reengagements, to: &table)
        }
        if let opens { writeOpens(opens, to: &table) }
        if hasRevenue {
            table.write(
                tally[values: .reengagements].unpriced.reasons, "re-engagements' values without known revenue")
        }
        table.write(tally.refused.reasons, "refused, not counted")
        writeQuality(to: &table)
        writeUnmatchedCampaigns(to: &table)
        if lines.contains(where: { $0.isCostPartial }) {
            table.append("\n* CPI and ROAS are of the campaigns that have a cost; others are in this line too.\n")
        }
        if hasRevenue { table.append(leastNote) }
        if hasRevenue && (isExtrapolated || hasReengagements) { table.append(extrapolatedNote) }
        StandardOutput.write(Message(utf8: table.utf8))
    }

    /// Writes the lines of each app, if there are several.
    private func writeApps(_ deepest: ReportLevel, to table: inout TableText) {
        for app in apps {
            table.append("\napp \(app.filter.app ?? 0)\n")
            app.writeLines(deepest, to: &table)
        }
        if let shared = sharedCosts { table.append("\(shared)\n") }
    }

    private func writeUnmatchedCampaigns(to table: inout TableText) {
        let campaigns = UnmatchedCampaigns(lines)
        guard campaigns.count > 0 else { return }
        table.append("\ncampaigns of the file that no counted postback is of\n")
        for title in campaigns.titles { table.append("  \(title.utf8.withUnsafeBytes { escapedForTerminal($0) })\n") }
        if let more = campaigns.more { table.append("  \(more)\n") }
    }

    private func writeDates(to table: inout TableText) {
        if let arrived = tally.arrived {
            table.append("arrived    \(utcTime(arrived.first)) to \(utcTime(arrived.last))\n")
        }
        table.write("installed ", total.counts[dates: .installs])
        table.write("re-engaged", total.counts[dates: .reengagements])
        if currency != nil { table.append("amounts in \(currencyText)\n") }
        for rate in costRates { table.append("\(rate.sentence(to: currencyText))\n") }
        for sentence in costSentences { table.append("\(sentence)\n") }
        if !hasRevenue { table.append("\(withoutModels)\n") }
        if let headline = total.brought?[.toDate].longText {
            table.append("estimated revenue to date (95 % interval): \(headline)\n")
        }
        table.endLine()
    }
}

extension TableText {
    fileprivate mutating func write(_ what: StaticString, _ dates: EstimatedDates?) {
        guard let dates else { return }
        append(
            """
            \(what) \(utcTime(dates.from)) to \(utcTime(dates.untilUnlocked)), to \(utcTime(dates.until)) where \
            windows were locked (estimated from the arrival)

            """)
    }

    fileprivate mutating func write(_ reasons: [CountedReason], _ title: StaticString) {
        guard reasons.sum > 0 else { return }
        append("\n\(title)\n")
        for reason in reasons where reason.count > 0 {
            append("  ")
            left("\(reason.words)", 42)
            right(reason.count, 9)
            endLine()
        }
    }
}

private var leastNote: Message {
    """

    "min" is revenue that values report, at least: the sum of the lower ends of known values. Nothing in it is
    estimated.

    """
}

private var extrapolatedNote: Message {
    """
    "extrapolated" takes the middle of each known value's range, the lower end where there is no upper one and
    for fine value 0 in window 0, which registering alone gives too; a value that is hidden or cannot be decoded
    counts as the mean of the known ones of its line and window, which it may be unlike. Extrapolated revenue of
    parts does not add up to the whole's. With --installs there are estimates in its place.

    """
}

/// The forms in which a report is written to standard output.
package enum ReportForm {
    case table, json, csv, html
}

extension Report {
    /// Writes the report to standard output. `deepest`: the deepest level of lines that the table shows.
    @export(interface)
    package func show(as form: ReportForm, _ deepest: ReportLevel) {
        switch form {
        case .table: printTable(deepest)
        case .json: printJSON()
        case .csv: printCSV()
        case .html: writePage()
        }
    }
}

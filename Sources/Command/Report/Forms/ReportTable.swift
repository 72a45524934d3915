internal import SKANCommandOutput
internal import SKANCore

/// The report as text, down to a level.
extension Report {
    func printTable(_ deepest: ReportLevel) {
        var table = TableText()
        writeDates(to: &table)
        writeLines(deepest, to: &table)
        writeWindows(.installs, to: &table)
        if hasRevenue { table.write(tally[values: .installs].unpriced, of: "values") }
        if hasReengagements {
            writeReengagements(deepest, to: &table)
            writeWindows(.reengagements, to: &table)
        }
        if hasRevenue { table.write(tally[values: .reengagements].unpriced, of: "re-engagements' values") }
        table.write(tally.apart)
        if lines.contains(where: { $0.isCostPartial }) {
            table.append("\n* CPI and ROAS are of the campaigns that have a cost; others are in this line too.\n")
        }
        if hasRevenue { table.append(estimateNote) }
        StandardOutput.write(Message(utf8: table.utf8))
    }

    private func writeDates(to table: inout TableText) {
        if let arrived = tally.arrived {
            table.append("arrived    \(utcTime(arrived.first)) to \(utcTime(arrived.last))\n")
        }
        table.write("installed ", total.counts[dates: .installs])
        table.write("re-engaged", total.counts[dates: .reengagements])
        if currency != nil { table.append("amounts in \(currencyText)\n") }
        table.endLine()
    }
}

extension TableText {
    fileprivate mutating func write(_ what: StaticString, _ dates: EstimatedDates?) {
        guard let dates else { return }
        append(
            """
            \(what) \(utcTime(dates.from)) to \(utcTime(dates.untilUnlocked)), to \(utcTime(dates.until)) where windows \
            were locked (estimated from the arrival)

            """)
    }

    fileprivate mutating func write(_ apart: ApartCounts) {
        guard apart.sum > 0 else { return }
        append("\nkept apart, not counted\n")
        write("signature does not fit", apart.invalid)
        write("version or key not known", apart.unverifiable)
        write("of a development key", apart.development)
        write("malformed", apart.malformed)
        write("copies with other values", apart.conflicts)
        write("of another network than their sender", apart.otherNetwork)
    }

    fileprivate mutating func write(_ unpriced: UnpricedCounts, of what: StaticString) {
        guard unpriced.sum > 0 else { return }
        append("\n\(what) without known revenue\n")
        write("received without models for them", unpriced.notDecoded)
        write("no rule of the model has the value", unpriced.undecodable)
        write("the model changed meanwhile", unpriced.ambiguous)
        write("older than the first model", unpriced.noModel)
        write("model not given to this report", unpriced.modelMissing)
        write("model without revenue in the window", unpriced.noRevenue)
        write("revenue since the install, in window 1 or 2", unpriced.cumulative)
    }

    private mutating func write(_ what: StaticString, _ count: UInt64) {
        guard count > 0 else { return }
        append("  ")
        left("\(what)", 42)
        right(count, 9)
        endLine()
    }
}

private var estimateNote: Message {
    """

    "min" is what known values stand for at least; nothing in it is estimated. "estimate" is an
    estimate: each known value counts with the middle of its range, with the lower end where there is no
    upper one, and for fine value 0 in window 0, which registering alone gives too; a value that is hidden or
    cannot be decoded counts as the mean of the known ones of its line and window, which it may be unlike.
    Estimates of parts do not add up to the whole's.

    """
}

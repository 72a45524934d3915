import SKANCommandOutput
import SKANCommandRows
import SKANCore

extension Report {
    /// Writes the counts of all lines except campaigns and ad sets that have only non-winning postbacks. Writes row by
    /// row, since there can be many lines, and stops early if the program is asked to end.
    func writeAllFigures(_ write: (HTML) -> Void) {
        let shown = lines.indices.filter { !lines[$0].hasOnlyLost }
        writeCounts(.installs, "Networks, their \(dimension.plural) and ad sets", of: shown, write)
        if shown.count < lines.count {
            let left = UInt64(lines.count { $0.hasOnlyLost && $0.level == .campaign })
            write("<p>\(left.readable) \(dimension.plural) that won nothing are in CSV and JSON alone.</p>\n")
        }
        guard lines.contains(where: { $0.isCostPartial }) else { return }
        write(
            """
            <p>* Cost per install and return on ad spend are of the campaigns that have a cost; others are in this \
            line too.</p>

            """)
    }

    /// Writes nothing if there is only one app.
    func writeApps(_ write: (HTML) -> Void) {
        guard !apps.isEmpty else { return }
        write("<h2>Apps</h2>\n")
        for app in apps {
            write("<h3>App \("\(app.filter.app ?? 0)" as Message)</h3>\n")
            app.writeAllFigures(write)
        }
        if let sharedCosts { write("<p>\(sharedCosts)</p>\n") }
    }

    /// Writes the lines that have re-engagements.
    func writeReengagementFigures(_ write: (HTML) -> Void) {
        let shown = lines.indices.filter { lines[$0].counts.hasReengagements }
        writeCounts(
            .reengagements, "Re-engagements of networks, their \(dimension.plural) and ad sets", of: shown, write)
    }

    private func writeCounts(
        _ group: ConversionGroup, _ caption: Message, of shown: [Int], _ write: (HTML) -> Void
    ) {
        let figures = shownFigures(group)
        let unit: Message = currency == nil ? "" : "; amounts in \(currencyText)"
        let table = PageTable(
            rowHead: "Network, campaign, ad set", caption: "\(caption)\(unit)",
            columns: figures.map { PageColumn(name: $0.names.title.map { "\($0)" } ?? "") })
        let networks = networkNumbers
        write(table.head)
        for place in shown where !Ending.isEnding {
            let line = lines[place]
            let counted = Figures(line.counts, group)
            let mark: HTML = group == .installs && line.isCostPartial ? " *" : ""
            write(
                table.row(
                    "\(line.titleHTML(isAlone: false))\(mark)", kind: line.level.kind, network: networks[place],
                    figures.map { PageCell($0.value(line, counted)?.readable) }))
        }
        write(table.end)
    }

    /// The index of each line's network among the report's networks; the total has nil.
    var networkNumbers: [Int?] {
        var number = -1
        return lines.map { line in
            if line.level == .network { number += 1 }
            return line.level == .total ? nil : number
        }
    }
}

extension ReportLevel {
    /// The HTML class of rows of this level, by which they are indented.
    var kind: StaticString {
        switch self {
        case .total: "l0"
        case .network: "l1"
        case .campaign: "l2"
        case .adSet: "l3"
        }
    }
}

import SKANCommandOutput
import SKANCommandRows
import SKANCore

/// The opens that the app reported, shown below the re-engagements.
extension Report {
    func writeOpens(_ opens: ReportedOpens, to table: inout TableText) {
        let all = opens.lines(of: lines)
        let shown = all.prefix(Report.mostReferences)
        let width = min(shown.reduce(12) { max($0, characters($1.title)) }, TableTitle.mostColumns)
        table.append("\nopens by reference, and the re-engagements of the campaign that it names\n")
        table.left("reference", width)
        for figure in OpenFigure.all { table.right("\(figure.head)", 10) }
        table.right("re-engag.", 10)
        table.append("  campaign\n")
        for open in shown {
            write(open.title, width, open.counts, reengagements(open), to: &table)
            if let place = open.line {
                table.append("  \(lines[place].title.withUnsafeBytes { escapedForTerminal($0) })")
            }
            table.endLine()
        }
        if let left = opensLeft(all.count) { table.append("\(left)\n") }
        let reported = Figures(total.counts, .reengagements).conversions[.reengagement]
        write([UInt8]("all".utf8), width, opens.sum, reported, to: &table)
        table.append("\n\(opensNote)\n")
    }

    private func write(
        _ title: [UInt8], _ width: Int, _ counts: OpenCounts, _ reengagements: UInt64?, to table: inout TableText
    ) {
        let text = shortened(title, width).withUnsafeBytes { escapedForTerminal($0) }
        table.left(text, width, width: characters(text.utf8))
        for figure in OpenFigure.all { table.right(figure.count(counts), 10) }
        table.right(reengagements?.readable, 10)
    }
}

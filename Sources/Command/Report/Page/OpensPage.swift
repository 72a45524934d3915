import SKANCommandOutput
import SKANCommandRows
import SKANCore

/// The section of the page about the opens that the app reported.
extension Report {
    func writeOpens(_ opens: ReportedOpens, _ write: (HTML) -> Void) {
        let columns = OpenFigure.all.map { PageColumn(name: "\($0.title)") }
        let table = PageTable(
            rowHead: "Reference", caption: "Opens by reference, and the re-engagements of the campaign that it names",
            columns: columns + [PageColumn(name: "Re-engagements by Apple"), PageColumn(name: "Campaign", kind: "t")])
        write("<h2>Opens that the app reported</h2>\n<p>\(opensNote)</p>\n\(table.head)")
        let all = opens.lines(of: lines)
        for open in all.prefix(Report.mostReferences) where !Ending.isEnding {
            let campaign: Message? = open.line.map { Message(utf8: lines[$0].title) }
            let counts = OpenFigure.all.map { PageCell(count: $0.count(open.counts)) }
            let named = [PageCell(reengagements(open)?.readable), PageCell(campaign)]
            write(table.row("<bdi>\(open.title)</bdi>", counts + named))
        }
        write(table.end)
        if let left = opensLeft(all.count) { write("<p>\(left)</p>\n") }
    }
}

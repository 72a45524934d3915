import SKANCommandOutput
import SKANCommandRows
import SKANCore

/// The opens that the app reported, after the re-engagements.
extension Report {
    func writeOpens(_ opens: ReportedOpens, _ write: (HTML) -> Void) {
        let heads = ["Reference"] + OpenFigure.all.map { $0.title } + ["Re-engagements by Apple", "Campaign"]
        write(
            """
            <h2>Opens that the app reported</h2>
            <p>\(opensNote)</p>
            <div class="wide" role="region" aria-label="Opens" tabindex="0"><table>\
            <caption>Opens by reference, and the re-engagements of the campaign that it names</caption>\
            <thead><tr>\(tableHeads(heads))</tr></thead><tbody>

            """)
        let all = opens.lines(of: lines)
        for open in all.prefix(Report.mostReferences) where !Ending.isEnding {
            let campaign: Message? = open.line.map { Message(utf8: lines[$0].title) }
            write(
                """
                <tr><th scope="row"><bdi>\(open.title)</bdi></th>\
                \(HTML.each(OpenFigure.all) { tableCell($0.count(open.counts).readable) })\
                \(tableCell(reengagements(open)?.readable))\(tableCell(campaign))</tr>

                """)
        }
        write("</tbody></table></div>\n")
        if let left = opensLeft(all.count) { write("<p>\(left)</p>\n") }
    }
}

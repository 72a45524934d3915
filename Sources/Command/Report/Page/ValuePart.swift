import SKANCommandOutput
import SKANCommandRows
import SKANCore

extension Report {
    /// Writes which events and values postbacks carry: by network and campaign, by window, and each value by itself.
    func writeEventsAndValues(_ write: (HTML) -> Void) {
        guard tally.counted > 0 else { return }
        write("<div class=\"pair\">\n\(eventTable)<section><h2 id=\"values\">Values</h2>\n")
        write(
            """
            <p>Apple leaves values out where the crowd is small: too few installs of a campaign, from a source app or \
            in a country. Fewer and larger campaigns make more values visible. A hidden value is not 0.</p>

            """)
        writeValueTable(write)
        write("</section></div>\n")
        if tally[values: .installs].hasAny { write("<div class=\"charts\">\n\(fineValuesChart.html)</div>\n") }
        write("\(coarseTable)\(windowTable(.installs, "Installs’ postbacks by window"))")
    }

    private func writeValueTable(_ write: (HTML) -> Void) {
        let table = PageTable(
            rowHead: dimension.title, caption: valueKey,
            columns: [
                PageColumn(name: "Installs"), PageColumn(name: "Fine"), PageColumn(name: "Coarse"),
                PageColumn(name: "Hidden"), PageColumn(name: "Shares", kind: "bar"),
            ], isSortable: true)
        write(table.head)
        write(table.row("All", kind: "sum", cells(total)))
        for (number, line) in lines.filter({ $0.level == .network }).enumerated() where line.hasInstalls {
            write(table.row(line.titleHTML(isAlone: false), kind: "sum", network: number, cells(line)))
        }
        write(table.nextBody)
        for each in numberedCampaigns where each.line.hasInstalls && !Ending.isEnding {
            write(table.row(each.line.titleHTML(isAlone: true), network: each.network, cells(each.line)))
        }
        write(table.end)
    }

    private func cells(_ line: ReportLine) -> [PageCell] {
        let first = line.counts[.installs, .first]
        let parts = [first.carried.fine, first.carried.coarse, first.carried.hidden]
        let shares = parts.map { part in
            PageCell(percentText(part, of: first.winning).map { "\($0)%" }, below: part.readable)
        }
        return [PageCell(count: first.winning)] + shares + [PageCell("", drawing: shareBar(parts))]
    }

    /// The caption of the table, with a legend for the parts of its bars.
    private var valueKey: HTML {
        """
        What installs’ first postbacks carry <span class="key" aria-hidden="true"><span><b class="k0"></b>fine</span> \
        <span><b class="k1"></b>coarse alone</span> <span><b class="k2"></b>hidden</span></span>
        """
    }
}

extension ReportLine {
    fileprivate var hasInstalls: Bool { counts[.installs, .first].winning > 0 }
}

extension ValueCounts {
    fileprivate var hasAny: Bool { fine.indices.contains { fine[$0] > 0 } }
}

import SKANCommandRows
import SKANCore

extension Report {
    func windowTable(_ group: ConversionGroup, _ caption: HTML) -> HTML {
        var columns: [PageColumn] = ["Winning", "Non-winning", "Fine", "Coarse", "Hidden"].map { PageColumn(name: $0) }
        let revenue = revenueFigures(group)
        columns += revenue.map { PageColumn(name: $0.names.title.map { "\($0)" } ?? "") }
        let table = PageTable(rowHead: "Window", caption: caption, columns: columns)
        let rows = HTML.each([Window](Window.all)) { window in
            let figures = Figures(total.counts, group, window)
            let carried = figures.carried
            let counts = [figures.winning, figures.lost, carried.fine, carried.coarse, carried.hidden]
            let amounts = revenue.map { PageCell($0.value(total, figures)?.readable) }
            return table.row("\(windowLabel(window))", counts.map { PageCell(count: $0) } + amounts)
        }
        return "\(table.head)\(rows)\(table.end)"
    }

    func writeReengagements(_ write: (HTML) -> Void) {
        write("<h2>Re-engagements</h2>\n\(windowTable(.reengagements, "Postbacks of re-engagements by window"))")
        writeReengagementFigures(write)
    }
}

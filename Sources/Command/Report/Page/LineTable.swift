internal import SKANCore

/// A table of lines, each with its figures of one group.
struct LineTable {
    let label: StaticString
    let caption: StaticString
    let group: ConversionGroup
    let columns: [LineColumn]

    /// Up to the first row.
    func head(currency: Message) -> HTML {
        let amounts: HTML = currency.utf8.isEmpty ? "" : "; amounts in \(currency)"
        let heads = ["Network, campaign, ad set"] + columns.map { $0.head }
        return """
            <div class="wide" role="region" aria-label="\(label)" tabindex="0"><table>\
            <caption>\(caption)\(amounts)</caption><thead><tr>\(tableHeads(heads))</tr></thead><tbody>

            """
    }

    /// A mark behind its title points to a note.
    func row(_ line: ReportLine, isMarked: Bool) -> HTML {
        let figures = Figures(line.counts, group)
        let mark: HTML = isMarked ? " *" : ""
        return """
            <tr class="l\(line.level.rawValue)"><th scope="row"><bdi>\(line.title)</bdi>\(mark)</th>\
            \(HTML.each(columns) { tableCell($0.text(line, figures)) })</tr>

            """
    }

    var end: HTML { "</tbody></table></div>\n" }
}

/// A column of figures; nil is shown as a dash.
struct LineColumn {
    let head: StaticString
    let text: (ReportLine, Figures) -> Message?
}

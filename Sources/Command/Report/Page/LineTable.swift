import SKANCommandRows
import SKANCore
import SKANTruth

/// A table of lines with their figures of one group.
struct LineTable {
    let label: StaticString
    let caption: StaticString
    let group: ConversionGroup
    let columns: [LineColumn]

    /// The beginning of the table, up to the first row.
    func head(currency: Message) -> HTML {
        let amounts: HTML = currency.utf8.isEmpty ? "" : "; amounts in \(currency)"
        let heads: HTML = HTML.each(columns) { column in
            "<th scope=\"col\"\(column.hasNames ? " class=\"names\"" as HTML : "")>\(column.head)</th>"
        }
        return """
            <div class="wide" role="region" aria-label="\(label)" tabindex="0"><table>\
            <caption>\(caption)\(amounts)</caption><thead><tr>\(tableHeads(["Network, campaign, ad set"]))\(heads)</tr>\
            </thead><tbody>

            """
    }

    /// A row. A mark after its title points to a note.
    func row(_ line: ReportLine, isMarked: Bool) -> HTML {
        let figures = Figures(line.counts, group)
        let mark: HTML = isMarked ? " *" : ""
        return """
            <tr class="l\(line.level.rawValue)"><th scope="row"><bdi>\(line.title)</bdi>\(mark)</th>\
            \(HTML.each(columns) { tableCell($0.text(line, figures), below: $0.below(line)) })</tr>

            """
    }

    var end: HTML { "</tbody></table></div>\n" }
}

/// A column of figures; nil is shown as a dash.
struct LineColumn {
    let head: Message
    /// Whether its cells have names, which need more room.
    let hasNames: Bool
    let text: (ReportLine, Figures) -> Message?
    /// The text on the second line of the cell.
    var below: (ReportLine) -> Message? = { _ in nil }

    init(head: Message, hasNames: Bool = false, text: @escaping (ReportLine, Figures) -> Message?) {
        (self.head, self.hasNames) = (head, hasNames)
        self.text = text
    }

    init(_ figure: ReportFigure) {
        self.init(head: figure.names.title.map { "\($0)" } ?? "") { line, figures in
            figure.value(line, figures)?.readable
        }
    }

    /// A column of estimates with their intervals, or why there are none.
    init(head: Message, _ estimate: @escaping (ReportLine) -> FigureValue?) {
        self.init(head: head) { line, _ in estimate(line)?.readable }
        below = { estimate($0)?.readableBelow }
    }
}

/// The heads of a table's columns.
func tableHeads(_ heads: [StaticString]) -> HTML {
    HTML.each(heads) { "<th scope=\"col\">\($0)</th>" }
}

/// A cell of a table; nil is shown as a dash. `below`: a second line.
func tableCell(_ text: Message?, below: Message? = nil) -> HTML {
    let second: HTML = below.map { "<small>\(onTwoLinesAtMost($0))</small>" } ?? ""
    return "<td>\(text ?? "–")\(second)</td>"
}

/// Keeps the first two of three words on one line, as in "5,231.27 to 5,706.49", however narrow the column is.
private func onTwoLinesAtMost(_ text: Message) -> HTML {
    let parts = text.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1)
    guard let first = parts.first, let rest = parts.last, parts.count == 2 else { return "\(text)" }
    return "\([UInt8](first))&nbsp;\([UInt8](rest))"
}

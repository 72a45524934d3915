import SKANCommandRows
import SKANCore
import SKANTruth

/// A table of the page. On a narrow page each row is a card, and each cell stands beside the name of its column.
struct PageTable {
    /// The heading of the rows' titles.
    let rowHead: StaticString
    let caption: HTML
    let columns: [PageColumn]
    /// Whether the page's script lets people sort the rows of the table's last body.
    var isSortable = false

    /// The beginning of the table, up to the first row.
    var head: HTML {
        let sorts: HTML = isSortable ? " class=\"sorts\"" : ""
        return """
            <div class="wide" role="group" aria-label="Table" tabindex="0"><table\(sorts)><caption>\(caption)</caption>\
            <thead><tr><th scope="col">\(rowHead)</th>\(HTML.each(columns) { $0.head })</tr></thead><tbody>

            """
    }

    /// The end of a body and the beginning of the next.
    var nextBody: HTML { "</tbody><tbody>\n" }
    var end: HTML { "</tbody></table></div>\n" }

    /// Returns a row. `kind`: the row's class. `network`: the network's index on the page, by which the script filters
    /// rows.
    func row(_ title: HTML, kind: StaticString? = nil, network: Int? = nil, _ cells: [PageCell]) -> HTML {
        let kind: HTML = kind.map { " class=\"\($0)\"" } ?? ""
        let network: HTML = network.map { " data-n=\"\($0)\"" } ?? ""
        var row: HTML = "<tr\(kind)\(network)><th scope=\"row\">\(title)</th>"
        for (column, cell) in zip(columns, cells) { row += cell.html(column) }
        row += "</tr>\n"
        return row
    }
}

struct PageColumn {
    /// Shown beside the cell on narrow pages.
    let name: Message
    /// The text shown while the pointer is over the heading.
    var help: Message?
    /// The scale of the drawings in the column's cells, shown in the heading.
    var axis: HTML = ""
    /// The horizon for which the script shows the column, and whether the column is shown at first; nil for always.
    var horizon: (Horizon, isShown: Bool)?
    /// The class of the column's cells, for example "t" for texts.
    var kind: StaticString?

    var head: HTML {
        let help: HTML = help.map { " title=\"\($0)\"" } ?? ""
        let scale: HTML = axis.utf8.isEmpty ? "" : besides(axis, "<span></span>")
        return "<th scope=\"col\"\(kindHTML)\(help)\(condition)>\(breakable)\(scale)</th>"
    }

    /// The name as HTML, which may break after underscores.
    private var breakable: HTML {
        var text: HTML = ""
        for (place, part) in name.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
            .enumerated()
        {
            text += place == 0 ? "\([UInt8](part))" : "_<wbr>\([UInt8](part))"
        }
        return text
    }

    fileprivate var kindHTML: HTML { kind.map { " class=\"\($0)\"" } ?? "" }

    /// The attributes of the heading and cells of a column that is shown for one horizon only; empty for other columns.
    fileprivate var condition: HTML {
        guard let (horizon, isShown) = horizon else { return "" }
        return shownOnly(horizon, isShown: isShown)
    }
}

/// Returns the attributes of an element that the script shows for one horizon only. `isShown`: whether the element is
/// shown at first.
func shownOnly(_ horizon: Horizon, isShown: Bool) -> HTML {
    let hidden: HTML = isShown ? "" : " hidden"
    return " data-h=\"\(horizon.key)\"\(hidden)"
}

/// A cell of a table, with a dash if `text` is nil.
struct PageCell {
    var text: HTML?
    /// A second text below the first, in small print.
    var below: Message?
    /// A drawing beside the text, or below it on narrow pages.
    var drawing: HTML = ""
    /// The number to sort by, if the text is not that number.
    var order: Double?

    init(_ text: Message?, below: Message? = nil, order: Double? = nil, drawing: HTML = "") {
        self.text = text.map { "\($0)" }
        (self.below, self.order, self.drawing) = (below, order, drawing)
    }

    init(count: UInt64) { self.init(count.readable) }

    fileprivate func html(_ column: PageColumn) -> HTML {
        let order: HTML = order.map { " data-v=\"\($0, places: 4)\"" } ?? ""
        let second: HTML = below.map { "<small>\($0)</small>" } ?? ""
        let text: HTML = text ?? "–"
        return """
            <td\(column.kindHTML) data-l="\(column.name)"\(column.condition)\(order)>\
            \(besides(drawing, "<span>\(text)\(second)</span>"))</td>
            """
    }
}

/// Returns a text with a drawing beside it, or the text alone if there is no drawing.
private func besides(_ drawing: HTML, _ text: HTML) -> HTML {
    drawing.utf8.isEmpty ? text : "<div class=\"f\">\(text)\(drawing)</div>"
}

import SKANCore

struct ColumnChart {
    let frame: ChartFrame
    /// The heading above the rows' labels in the table.
    let labelHead: StaticString
    /// The heading above the rows' notes; nil if they have none.
    var noteHead: StaticString?
    /// The heading above the counts in the table, such as "Installs".
    let what: StaticString
    /// Whether a table of the figures follows the drawing. If not, another table of the page has them.
    var hasTable = true
    var rows: [ColumnChartRow] = []
    /// Terms and their meanings, listed below the drawing.
    var meanings: [(term: Message, meaning: Message)] = []

    var html: HTML {
        let rows = HTML.each(meanings) { "<div><dt>\($0.term)</dt><dd><bdi>\($0.meaning)</bdi></dd></div>\n" }
        let list: HTML = meanings.isEmpty ? "" : "<dl class=\"meanings\">\n\(rows)</dl>\n"
        return frame.html(drawing: drawing, below: list, table: hasTable ? table : "")
    }

    private var table: HTML {
        var columns = [PageColumn(name: "\(what)")]
        if let noteHead { columns.append(PageColumn(name: "\(noteHead)", kind: "t")) }
        let table = PageTable(rowHead: labelHead, caption: "\(frame.title)", columns: columns)
        let shown = HTML.each(rows) { row in
            table.row("\(row.label)", [PageCell(count: row.count), PageCell(row.note ?? "")])
        }
        return "\(table.head)\(shown)\(table.end)"
    }
}

/// A column, and its row in the table.
struct ColumnChartRow {
    let label: Message
    let count: UInt64
    var note: Message?
    /// The label below the column.
    var tick: Message?
}

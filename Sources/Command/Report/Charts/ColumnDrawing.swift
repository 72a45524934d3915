import SKANCommandRows
import SKANCore

extension ColumnChart {
    /// The columns, a line at the height of the highest one with its count, and the labels below. Heights are in pixels
    /// and widths in percent, so that text keeps its size at any page width.
    var drawing: HTML {
        let longest = Double(rows.reduce(0) { max($0, $1.count) })
        let width = 100 / Double(max(rows.count, 1))
        var columns: HTML = ""
        for (place, row) in rows.enumerated() {
            let height = longest > 0 ? Double(row.count) / longest * Double(plotHeight) : 0
            let left = (Double(place) + 0.1) * width
            columns += """
                <g><title>\(row.pointed)</title>\
                <rect class="s0" x="\(left, places: 2)%" y="\(Double(plotBottom) - height, places: 1)" \
                width="\(width * 0.8, places: 2)%" height="\(height, places: 1)"/></g>\
                \(label(row, at: (Double(place) + 0.5) * width))
                """
        }
        return """
            <text x="0" y="\(plotTop - 6)">\(UInt64(longest).readable)</text>\
            <line x1="0" y1="\(plotTop)" x2="100%" y2="\(plotTop)"/>\
            <line x1="0" y1="\(plotBottom)" x2="100%" y2="\(plotBottom)"/>\(columns)
            """
    }

    private func label(_ row: ColumnChartRow, at middle: Double) -> HTML {
        row.tick.map { chartTick($0, at: middle) } ?? ""
    }
}

extension ColumnChartRow {
    /// The text shown while the pointer is over the column.
    fileprivate var pointed: Message {
        note.map { "\(label): \(count.readable); \($0)" } ?? "\(label): \(count.readable)"
    }
}

/// Returns a label below a drawing. Labels near the left or right end are aligned with it, so that they do not stick
/// out. `middle`: where the label is centred, in percent of the width.
func chartTick(_ label: Message, at middle: Double) -> HTML {
    let anchor: StaticString = middle < 6 ? "start" : middle > 94 ? "end" : "middle"
    let x = middle < 6 ? 0 : middle > 94 ? 100 : middle
    return "<text class=\"k\" x=\"\(x, places: 2)%\" y=\"\(plotBottom + 16)\" text-anchor=\"\(anchor)\">\(label)</text>"
}

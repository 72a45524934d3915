import SKANCore

/// Draws the first series as columns next to each other. Every `labelledEach`-th column is labelled, and the last.
func chartOfColumns(_ chart: Chart) -> HTML {
    let drawing = ChartColumns(chart)
    var columns: HTML = ""
    for place in chart.rows.indices { columns += "\(drawing.column(place))\(drawing.label(place))" }
    return chartFrame(chart, height: columnsHeight, "\(drawing.scale)\(columns)\n")
}

/// The height of a drawing of columns, in pixels.
var columnsHeight: Int { ChartColumns.bottom + 24 }

/// The layout of a drawing of columns; heights are pixels, widths percentages.
private struct ChartColumns {
    private let rows: [ChartRow]
    private let step: Int
    private let longest: Double
    /// The width of a column including its gap.
    private let width: Double

    private static var top: Int { 20 }
    private static var height: Int { 160 }
    static var bottom: Int { top + height }

    init(_ chart: Chart) {
        rows = chart.rows
        step = max(chart.labelledEach ?? 1, 1)
        longest = chart.longest
        width = 100 / Double(max(chart.rows.count, 1))
    }

    /// The lines at zero and at the highest column, which is labelled with its figure.
    var scale: HTML {
        let highest = rows.last { size($0) >= longest }
        let (top, bottom) = (ChartColumns.top, ChartColumns.bottom)
        return """
            <text x="0" y="14">\(highest?.figures.first?.text ?? "0")</text>\
            <line x1="0" y1="\(top)" x2="100%" y2="\(top)"/><line x1="0" y1="\(bottom)" x2="100%" y2="\(bottom)"/>

            """
    }

    /// A column, with a tooltip.
    func column(_ place: Int) -> HTML {
        let row = rows[place]
        let note: HTML = row.note.map { "; \($0)" } ?? ""
        let title: HTML = "\(row.label): \(row.figures.first?.text ?? "0")\(note)"
        let height = longest > 0 ? size(row) / longest * Double(ChartColumns.height) : 0
        let left = (Double(place) + 0.1) * width
        return """
            <g><title>\(title)</title>\
            <rect class="s0" x="\(left, places: 3)%" y="\(Double(ChartColumns.bottom) - height, places: 2)" \
            width="\(width * 0.8, places: 3)%" height="\(height, places: 2)"/></g>
            """
    }

    /// The label of a column; those of the first and the last stay within the drawing.
    func label(_ place: Int) -> HTML {
        let isLast = place + 1 == rows.count
        let isNearLast = place + (step + 1) / 2 >= rows.count
        guard isLast || (place % step == 0 && !isNearLast) else { return "" }
        let anchor: StaticString = place == 0 ? "start" : isLast ? "end" : "middle"
        let x = place == 0 ? 0 : isLast ? 100 : (Double(place) + 0.5) * width
        return """
            <text x="\(x, places: 3)%" y="\(ChartColumns.bottom + 16)" \
            text-anchor="\(anchor)">\(rows[place].label)</text>
            """
    }

    private func size(_ row: ChartRow) -> Double { row.figures.first?.size ?? 0 }
}

import SKANCore

/// Writes charts below a heading. Charts without rows are left out, and their remarks become paragraphs. Two charts of
/// about the same height stand next to each other, and others take the page's width, so that there are no gaps.
func writeSection(_ heading: HTML, _ charts: [Chart], _ write: (HTML) -> Void) {
    write("<h2>\(heading)</h2>\n")
    for chart in charts where chart.rows.isEmpty {
        if let remark = chart.remark { write("<p>\(chart.title): \(remark)</p>\n") }
    }
    let drawn = paired(charts.filter { !$0.rows.isEmpty })
    guard !drawn.isEmpty else { return }
    write("<div class=\"charts\">\n")
    for chart in drawn { write(chart.labelledEach == nil ? chartOfBars(chart) : chartOfColumns(chart)) }
    write("</div>\n")
}

/// Puts the next chart of about the same height after each chart; a chart without such a partner becomes wide.
func paired(_ charts: [Chart]) -> [Chart] {
    var left = charts
    var paired: [Chart] = []
    while !left.isEmpty {
        var chart = left.removeFirst()
        if let beside = left.firstIndex(where: { abs($0.height - chart.height) <= unevenness }) {
            paired += [chart, left.remove(at: beside)]
        } else {
            chart.isWide = true
            paired.append(chart)
        }
    }
    return paired
}

/// The largest height difference, in pixels, of two charts side by side.
private var unevenness: Int { 130 }

extension Chart {
    /// The approximate height in pixels.
    fileprivate var height: Int { (labelledEach == nil ? barsHeight(self) : columnsHeight) + meanings.count * 26 }
}

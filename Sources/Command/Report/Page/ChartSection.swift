internal import SKANCore

/// Charts below a heading. Those without rows are left out, and what they would have to say stands as a paragraph. Two
/// of about the same height stand beside each other, others have the page's width: so there are no holes.
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

/// Each chart followed by the next one that is about as tall; one without such is wide.
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

/// So many pixels may be empty below the shorter one of two.
private var unevenness: Int { 130 }

extension Chart {
    /// The approximate height in pixels.
    fileprivate var height: Int { (labelledEach == nil ? barsHeight(self) : columnsHeight) + meanings.count * 26 }
}

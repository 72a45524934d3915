import SKANCore

/// Draws horizontal bars, one row below another.
func chartOfBars(_ chart: Chart) -> HTML {
    let drawing = ChartBars(chart)
    var rows: HTML = ""
    for (place, row) in chart.rows.enumerated() { rows += drawing.row(row, top: place * drawing.step) }
    return chartFrame(chart, height: barsHeight(chart), rows)
}

/// The height of a drawing of bars, in pixels.
func barsHeight(_ chart: Chart) -> Int { chart.rows.count * ChartBars(chart).step }

/// The layout of a drawing of bars; heights are pixels, widths percentages.
private struct ChartBars {
    private let chart: Chart
    private let longest: Double
    /// Whether figures get a line of their own, because they leave no room for a label on the narrowest page.
    private let hasLongFigures: Bool

    private static var textHeight: Int { 20 }
    private static var barHeight: Int { 12 }
    private static var barStep: Int { barHeight + 3 }
    private static var rowGap: Int { 10 }
    private static var longFigures: Int { 20 }
    /// The width of a digit in percent of a drawing's width, on a page of 320 pixels.
    private static var digitWidth: Double { 3.5 }

    init(_ chart: Chart) {
        self.chart = chart
        longest = chart.longest
        hasLongFigures = chart.rows.contains { figuresText($0).utf8.count > ChartBars.longFigures }
    }

    private var isStacked: Bool { chart.bars != .beside }
    private var wordsHeight: Int { hasLongFigures ? 2 * ChartBars.textHeight : ChartBars.textHeight }
    private var barsHeight: Int { (isStacked ? 1 : chart.series.count) * ChartBars.barStep }

    /// The distance between the tops of two rows.
    var step: Int { wordsHeight + barsHeight + ChartBars.rowGap }

    func row(_ row: ChartRow, top: Int) -> HTML {
        "\(words(row, top: top))\(bars(row, top: top + wordsHeight))\n"
    }

    /// The label and the figures. A long label ends in an ellipsis and is shown fully under the pointer. It is HTML,
    /// because SVG text has no ellipsis.
    private func words(_ row: ChartRow, top: Int) -> HTML {
        let figures = figuresText(row)
        let width = hasLongFigures ? 100 : 97 - Double(figures.utf8.count) * ChartBars.digitWidth
        let baseline = top + wordsHeight - ChartBars.textHeight + 14
        return """
            <foreignObject x="0" y="\(top)" width="\(width, places: 1)%" height="\(ChartBars.textHeight)">\
            <div class="label" title="\(row.label)"><bdi>\(row.label)</bdi></div></foreignObject>\
            <text class="v" x="100%" y="\(baseline)">\(figures)</text>
            """
    }

    /// The bars on their background.
    private func bars(_ row: ChartRow, top: Int) -> HTML {
        let whole = chart.bars == .whole ? row.sum : longest
        let bedHeight = barsHeight - ChartBars.barStep + ChartBars.barHeight
        var bars: HTML = "<rect class=\"b\" x=\"0\" y=\"\(top)\" width=\"100%\" height=\"\(bedHeight)\"/>"
        var left = 0.0
        for (place, figure) in row.figures.enumerated() where whole > 0 && figure.size > 0 {
            let width = figure.size / whole * 100
            let gap: HTML = isStacked ? " g" : ""
            let y = isStacked ? top : top + place * ChartBars.barStep
            bars += """
                <rect class="s\(place)\(gap)" x="\(left, places: 3)%" y="\(y)" width="\(width, places: 3)%" \
                height="\(ChartBars.barHeight)"/>
                """
            if isStacked { left += width }
        }
        bars += intervals(row, top: top)
        return bars
    }

    /// Error bars over the middle of the figures' bars.
    private func intervals(_ row: ChartRow, top: Int) -> HTML {
        var lines: HTML = ""
        for (place, figure) in row.figures.enumerated() where !isStacked && longest > 0 {
            guard let interval = figure.interval else { continue }
            let (low, high) = (interval.low / longest * 100, interval.high / longest * 100)
            let (y, half) = (top + place * ChartBars.barStep + ChartBars.barHeight / 2, ChartBars.barHeight / 2 - 2)
            lines += "<line class=\"h\" x1=\"\(low, places: 3)%\" y1=\"\(y)\" x2=\"\(high, places: 3)%\" y2=\"\(y)\"/>"
            lines += "<line class=\"e\" x1=\"\(low, places: 3)%\" y1=\"\(y)\" x2=\"\(high, places: 3)%\" y2=\"\(y)\"/>"
            for end in [low, high] {
                lines += """
                    <line class="e" x1="\(end, places: 3)%" y1="\(y - half)" x2="\(end, places: 3)%" y2="\(y + half)"/>
                    """
            }
        }
        return lines
    }
}

/// "11 / 1 / -".
private func figuresText(_ row: ChartRow) -> Message {
    var text: Message = ""
    for (place, figure) in row.figures.enumerated() {
        let separator: StaticString = place > 0 ? " / " : ""
        text = "\(text)\(separator)\(figure.text ?? "-")"
    }
    return text
}

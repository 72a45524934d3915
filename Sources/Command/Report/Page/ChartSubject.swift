import SKANCore

/// The subject of a chart: what it shows of each line or window.
struct ChartSubject {
    let id: StaticString
    let what: StaticString
    let description: Message
    let series: [StaticString]
    let bars: ChartBarForm
    let group: ConversionGroup
    /// True if a chart of lines shows only what window 0 reports.
    var isOfFirstWindow = false
    /// What the remark says about lines without a figure; nil if it does not mention them.
    var withoutFigures: StaticString?
    /// The figures of a row, one for each series.
    let figures: (Figures) -> [ChartFigure]

    /// Makes the chart, without rows.
    func chart(by what: StaticString, labelHead: StaticString, id level: StaticString? = nil) -> Chart {
        Chart(
            id: "\(id)-\(level ?? what)", title: "\(self.what) by \(what)", description: description,
            labelHead: labelHead,
            series: series, bars: bars)
    }

    func row(_ label: Message, _ figures: Figures) -> ChartRow {
        ChartRow(label: label, figures: self.figures(figures))
    }

    func figures(of line: ReportLine) -> Figures {
        isOfFirstWindow ? Figures(line.counts, group, .first) : Figures(line.counts, group)
    }
}

internal import SKANCore

/// What a chart shows of each line, or of each window.
struct ChartSubject {
    let id: StaticString
    let what: StaticString
    let description: Message
    let series: [StaticString]
    let bars: ChartBarForm
    let group: ConversionGroup
    /// True if a chart of lines shows only what window 0 reports.
    var isOfFirstWindow = false
    /// What is said of lines without a figure; nil: nothing.
    var withoutFigures: StaticString?
    /// The figures of a row, one for each series.
    let figures: (Figures) -> [ChartFigure]

    /// A chart without rows.
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

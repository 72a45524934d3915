internal import SKANCore

extension Report {
    func chartByWindow(_ subject: ChartSubject) -> HTML {
        var chart = subject.chart(by: "window", labelHead: "Window")
        for window in Window.all {
            let figures = Figures(total.counts, subject.group, window)
            chart.rows.append(subject.row(windowLabel(window), figures))
        }
        return chartOfBars(chart)
    }

    func chartByNetwork(_ subject: ChartSubject) -> HTML {
        chartOfLargest(.network, subject.chart(by: "network", labelHead: "Network")) { line in
            subject.figures(subject.figures(of: line))
        }
    }

    func chartByCampaign(_ subject: ChartSubject) -> HTML {
        chartOfLargest(.campaign, subject.chart(by: "campaign", labelHead: "Campaign")) { line in
            subject.figures(subject.figures(of: line))
        }
    }

    /// The lines of a level, the largest first; not more than a page has room for, which its title tells.
    func chartOfLargest(
        _ level: ReportLevel, _ empty: Chart, _ figures: (ReportLine) -> [ChartFigure]
    ) -> HTML {
        var chart = empty
        var ranked: [(place: Int, size: Double)] = []
        for (place, line) in lines.enumerated() where line.level == level {
            ranked.append((place, figures(line).reduce(0) { $0 + $1.size }))
        }
        ranked.sort { $0.size != $1.size ? $0.size > $1.size : $0.place < $1.place }
        if ranked.count > chartedLines {
            chart.title = "\(chart.title), the \(chartedLines) largest of \(ranked.count.readable)"
        }
        for (place, _) in ranked.prefix(chartedLines) {
            let line = lines[place]
            chart.rows.append(ChartRow(label: line.titleWithNetwork, figures: figures(line)))
        }
        return chartOfBars(chart)
    }
}

private var chartedLines: Int { 20 }

func windowLabel(_ window: Window) -> Message { "window \(window.rawValue)" }

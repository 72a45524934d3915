import SKANCommandRows
import SKANCore

extension Report {
    func chartByWindow(_ subject: ChartSubject) -> Chart {
        var chart = subject.chart(by: "window", labelHead: "Window")
        for window in Window.all {
            let figures = Figures(total.counts, subject.group, window)
            chart.rows.append(subject.row(windowLabel(window), figures))
        }
        return chart
    }

    func chartByNetwork(_ subject: ChartSubject) -> Chart {
        chart(subject, .network, subject.chart(by: "network", labelHead: "Network"))
    }

    func chartByCampaign(_ subject: ChartSubject) -> Chart {
        chart(subject, .campaign, subject.chart(by: dimension.word, labelHead: dimension.title, id: "campaign"))
    }

    private func chart(_ subject: ChartSubject, _ level: ReportLevel, _ empty: Chart) -> Chart {
        chartOfLargest(level, empty, without: subject.withoutFigures) { line in
            line.counts.hasPostbacks ? subject.figures(subject.figures(of: line)) : nil
        }
    }

    /// The lines of a level, the largest first. If the page has no room for all, the title says so. Lines whose figures
    /// are nil are left out; lines without known figures are named in the remark, after `without`.
    func chartOfLargest(
        _ level: ReportLevel, _ empty: Chart, without: StaticString?, _ figures: (ReportLine) -> [ChartFigure]?
    ) -> Chart {
        var chart = empty
        var ranked: [(place: Int, size: Double)] = []
        var unknown: [Message] = []
        for (place, line) in lines.enumerated() where line.level == level {
            guard let figures = figures(line) else { continue }
            if figures.allSatisfy({ $0.text == nil }) {
                unknown.append(line.titleWithNetwork)
            } else {
                ranked.append((place, figures.reduce(0) { $0 + $1.size }))
            }
        }
        ranked.sort { $0.size != $1.size ? $0.size > $1.size : $0.place < $1.place }
        if ranked.count > chartedLines {
            chart.title = "\(chart.title), the \(chartedLines) largest of \(ranked.count.readable)"
        }
        for (place, _) in ranked.prefix(chartedLines) {
            let line = lines[place]
            chart.rows.append(ChartRow(label: line.titleWithNetwork, figures: figures(line) ?? []))
        }
        if let without, !unknown.isEmpty { chart.remark = "\(without): \(namedTitles(unknown))." }
        return chart
    }
}

private var chartedLines: Int { 20 }

func windowLabel(_ window: Window) -> Message { "window \(window.rawValue)" }

internal import SKANCore

extension Report {
    /// How often each fine value came.
    var fineValuesChart: HTML {
        let values = tally[values: .installs]
        var chart = Chart(
            id: "fine-values", title: "Fine conversion values, window 0",
            description: "Columns: how many winning postbacks have each of the 64 fine values.", labelHead: "Value",
            series: ["postbacks"])
        for value in values.fine.indices {
            chart.rows.append(ChartRow(label: "\(value)", figures: [ChartFigure(count: values.fine[value])]))
        }
        return chartOfColumns(chart, labelledEach: 8)
    }

    /// How often each coarse value came alone.
    var coarseValuesChart: HTML {
        let values = tally[values: .installs]
        var chart = Chart(
            id: "coarse-values", title: "Coarse conversion values",
            description: """
                Three bars for each window: winning postbacks with the coarse value low, medium and high, and no fine \
                value.
                """,
            labelHead: "Window", series: ["low", "medium", "high"])
        for window in Window.all {
            let counts = values.coarse[Int(window.rawValue)]
            let figures = counts.indices.map { ChartFigure(count: counts[$0]) }
            chart.rows.append(ChartRow(label: windowLabel(window), figures: figures))
        }
        return chartOfBars(chart)
    }
}

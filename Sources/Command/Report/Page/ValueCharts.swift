import SKANCommandRows
import SKANCore

extension Report {
    /// The number of postbacks with each fine value, and its meaning.
    var fineValuesChart: Chart {
        let values = tally[values: .installs]
        var chart = Chart(
            id: "fine-values", title: "Fine conversion values, window 0",
            description: "Columns: how many winning postbacks have each of the 64 fine values.", labelHead: "Value",
            series: ["postbacks"], labelledEach: 8)
        if meanings != nil { chart.noteHead = "Meaning" }
        for value in values.fine.indices {
            let figures = [ChartFigure(count: values.fine[value])]
            chart.rows.append(ChartRow(label: "\(value)", figures: figures, note: meanings?.fine(value)))
        }
        explainMostFrequent(in: &chart)
        return chart
    }

    /// Adds the meanings of the most frequent values, in the order of the values.
    private func explainMostFrequent(in chart: inout Chart) {
        let sum = chart.rows.reduce(0) { $0 + $1.sum }
        guard meanings != nil, sum > 0 else { return }
        let frequent = chart.rows.indices.filter { chart.rows[$0].sum > 0 }
            .sorted { (chart.rows[$0].sum, $1) > (chart.rows[$1].sum, $0) }.prefix(explainedValues)
        for place in frequent.sorted() {
            let row = chart.rows[place]
            let share = percentText(Int128(row.sum), of: Int128(sum)) ?? "0"
            chart.meanings.append((row.label, "\(row.note ?? "not of the models given") (\(share)%)"))
        }
        chart.remark =
            chart.meanings.count < chart.rows.filter { $0.sum > 0 }.count
            ? "What the most frequent values mean, by the model; all are in the figures:"
            : "What the values mean, by the model:"
    }

    /// The number of postbacks with each coarse value and no fine one.
    var coarseValuesChart: Chart {
        let values = tally[values: .installs]
        var chart = Chart(
            id: "coarse-values", title: "Coarse conversion values",
            description: """
                Three bars for each window: winning postbacks with the coarse value low, medium and high, and no fine \
                value.
                """,
            labelHead: "Window", noteHead: meanings == nil ? nil : "Meaning", series: ["low", "medium", "high"])
        for window in Window.all {
            let counts = values.coarse[Int(window.rawValue)]
            let figures = counts.indices.map { ChartFigure(count: counts[$0]) }
            chart.rows.append(ChartRow(label: windowLabel(window), figures: figures, note: coarseMeaning(window)))
        }
        return chart
    }

    /// "low: any install; medium: $0.1 to $5 revenue; high: $5 or more revenue"; nil without models.
    private func coarseMeaning(_ window: Window) -> Message? {
        guard let meanings else { return nil }
        let names: [StaticString] = ["low", "medium", "high"]
        var text: Message = ""
        for (value, name) in names.enumerated() {
            let separator: StaticString = value == 0 ? "" : "; "
            text = "\(text)\(separator)\(name): \(meanings.coarse(value, window) ?? "not of the models given")"
        }
        return text
    }
}

private var explainedValues: Int { 8 }

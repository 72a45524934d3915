import SKANCommandRows
import SKANCore

extension Report {
    var fineValuesChart: ColumnChart {
        let values = tally[values: .installs]
        var chart = ColumnChart(
            frame: ChartFrame(
                id: "fine-values", title: "Fine values of the first window",
                description: "A column for each fine value."),
            labelHead: "Value", noteHead: meanings == nil ? nil : "Meaning", what: "Postbacks")
        for value in values.fine.indices {
            let tick: Message? = value % 8 == 0 || value == values.fine.count - 1 ? "\(value)" : nil
            chart.rows.append(
                ColumnChartRow(label: "\(value)", count: values.fine[value], note: meanings?.fine(value), tick: tick))
        }
        chart.meanings = frequentMeanings(chart.rows)
        return chart
    }

    /// Returns the meanings of the most frequent values, in the order of the values.
    private func frequentMeanings(_ rows: [ColumnChartRow]) -> [(term: Message, meaning: Message)] {
        let sum = rows.reduce(0) { $0 + $1.count }
        guard meanings != nil, sum > 0 else { return [] }
        let frequent = rows.indices.filter { rows[$0].count > 0 }
            .sorted { (rows[$0].count, $1) > (rows[$1].count, $0) }.prefix(explainedValues)
        return frequent.sorted().map { place in
            let share = percentText(rows[place].count, of: sum) ?? "0"
            return (rows[place].label, "\(rows[place].note ?? "not of the models given") (\(share)%)")
        }
    }

    var coarseTable: HTML {
        let values = tally[values: .installs]
        let names: [StaticString] = ["low", "medium", "high"]
        let table = PageTable(
            rowHead: "Window", caption: "Coarse values without a fine one",
            columns: names.map { PageColumn(name: "\($0)") })
        let rows = HTML.each([Window](Window.all)) { window in
            let counts = values.coarse[Int(window.rawValue)]
            let cells = counts.indices.map { PageCell(counts[$0].readable, below: meanings?.coarse($0, window)) }
            return table.row("\(windowLabel(window))", cells)
        }
        return "\(table.head)\(rows)\(table.end)"
    }
}

private var explainedValues: Int { 8 }

func windowLabel(_ window: Window) -> Message { "window \(window.rawValue)" }

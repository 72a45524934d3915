internal import SKANCommandOutput
internal import SKANCore

/// What lines brought, below the table's other figures.
extension Report {
    func writeBrought(_ basis: BroughtBasis, _ deepest: ReportLevel, to table: inout TableText) {
        table.append("\nestimated revenue of these installs, with 95 % intervals\n")
        writeBrought(.amount, deepest, to: &table) { line, horizon in line.brought?[horizon] }
        write("organic", basis.organic.answers, titleColumns(deepest), to: &table)
        write("store", basis.organic.storeAnswers, titleColumns(deepest), to: &table)
        if hasCosts {
            table.append("\nreturn on ad spend by these estimates\n")
            writeBrought(.share, deepest, to: &table) { line, horizon in
                line.brought?.returnOnAdSpend(horizon, line.paid.cost).map { .figure($0) }
            }
        }
        table.append("\nwhat this rests on\n")
        for sentence in basis.sentences { table.append("  \(sentence)\n") }
        if !basis.warnings.isEmpty { table.append("what does not hold\n") }
        for warning in basis.warnings { table.append("  \(warning.sentence)\n") }
        table.append("assumed\n")
        for assumption in BroughtBasis.assumptions { table.append("  \(assumption)\n") }
        for sentence in estimateGaps(deepest) {
            table.append("\(sentence.utf8.withUnsafeBytes { escapedForTerminal($0) })\n")
        }
    }

    private func writeBrought(
        _ unit: FigureUnit, _ deepest: ReportLevel, to table: inout TableText,
        _ answer: (ReportLine, Horizon) -> BroughtAnswer?
    ) {
        let titles = titleColumns(deepest)
        table.left("campaign", titles)
        for horizon in Horizon.allCases {
            table.right("\(horizon.words)", estimateWidth)
            table.right("95 %", intervalWidth)
        }
        table.endLine()
        for line in lines where line.level <= deepest {
            TableTitle(line).write(to: &table, columns: titles)
            for horizon in Horizon.allCases { write(answer(line, horizon), unit, to: &table) }
            table.endLine()
        }
    }

    private func write(_ title: StaticString, _ answers: [BroughtAnswer], _ titles: Int, to table: inout TableText) {
        table.left("\(title)", titles)
        for answer in answers { write(answer, .amount, to: &table) }
        table.endLine()
    }

    private func write(_ answer: BroughtAnswer?, _ unit: FigureUnit, to table: inout TableText) {
        table.right(answer?.figure?.shortText(unit), estimateWidth)
        table.right(answer?.figure?.shortInterval(unit) ?? answer?.whyNot.map { "\($0.short)" }, intervalWidth)
    }
}

private var estimateWidth: Int { 10 }
private var intervalWidth: Int { 18 }

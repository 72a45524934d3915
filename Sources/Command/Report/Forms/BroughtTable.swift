import SKANCommandOutput
import SKANCommandRows
import SKANCore
import SKANTruth

/// Estimated revenue of lines, below the table's other figures.
extension Report {
    func writeBrought(_ basis: BroughtBasis, _ deepest: ReportLevel, to table: inout TableText) {
        for (figure, horizons) in shownEstimates {
            table.append("\n\(figure.names.caption ?? "")\n")
            write(figure, horizons, deepest, to: &table)
            guard figure == .estimatedRevenue else { continue }
            if let organic = basis.organic.answers { write("organic", organic, titleColumns(deepest), to: &table) }
            write("store", basis.organic.storeAnswers, titleColumns(deepest), to: &table)
        }
        writeComparisons(deepest, to: &table)
        writeWeeks(to: &table)
        table.append("\nwhat this rests on\n")
        for sentence in basis.sentences(installsStore) { table.append("  \(sentence)\n") }
        if !basis.warnings.isEmpty { table.append("what does not hold\n") }
        for warning in basis.warnings { table.append("  \(warning.sentence(networkTitles))\n") }
        table.append("assumed\n")
        for assumption in BroughtBasis.assumptions { table.append("  \(assumption)\n") }
        for sentence in estimateGaps(deepest) {
            table.append("\(sentence.utf8.withUnsafeBytes { escapedForTerminal($0) })\n")
        }
    }

    /// Writes the estimated revenue by week of install, or the return on ad spend if costs have dates.
    private func writeWeeks(to table: inout TableText) {
        guard let weeks = total.brought?.weeks, weeks.count > 1 else { return }
        let haveCosts = weeks.contains { $0.cost != nil }
        table.append(haveCosts ? "\nreturn on ad spend" : "\nestimated revenue")
        table.append(" by week of install; installs include redownloads\n")
        table.left("week from", titleOfWeek)
        table.right("installs", estimateWidth)
        if haveCosts { table.right("cost", estimateWidth) }
        table.writeHeads(horizons, of: .estimatedRevenue)
        for week in weeks {
            table.left(utcDay(week.start), titleOfWeek)
            table.right(week.installs, estimateWidth)
            if haveCosts { table.right(week.cost?.readable(places: 2), estimateWidth) }
            for horizon in horizons {
                let figure = haveCosts ? ReportFigure.estimatedReturn : .estimatedRevenue
                table.write(figure, figure.value(week.brought, week.cost, horizon))
            }
            table.endLine()
        }
    }

    private func writeComparisons(_ deepest: ReportLevel, to table: inout TableText) {
        guard hasComparisons, deepest >= .campaign || target != nil else { return }
        table.append("\n\(comparisonCaption)\n")
        let titles = titleColumns(deepest)
        table.left("\(dimension.word)", titles)
        for figure in shownComparisons {
            table.right(figure == .targetChance ? target?.words : figure.names.head.map { "\($0)" }, figure.width)
        }
        table.append("  better than, with 80% or more\n")
        for line in lines where line.level <= deepest && line.isCompared {
            TableTitle(line).write(to: &table, columns: titles)
            let figures = Figures(line.counts, .installs)
            for figure in shownComparisons { table.right(figure.value(line, figures)?.readable, figure.width) }
            if let better = betterThan(line) {
                table.append("  \(better.utf8.withUnsafeBytes { escapedForTerminal($0) })")
            }
            table.endLine()
        }
    }

    /// Writes a row for each line of the report, with the figure for each of these horizons.
    private func write(
        _ figure: ReportFigure, _ horizons: [Horizon], _ deepest: ReportLevel, to table: inout TableText
    ) {
        let titles = titleColumns(deepest)
        table.left("\(dimension.word)", titles)
        table.writeHeads(horizons, of: figure)
        for line in lines where line.level <= deepest {
            TableTitle(line).write(to: &table, columns: titles)
            for horizon in horizons {
                table.write(figure, line.brought.flatMap { figure.value($0.figures, line.paid.cost, horizon) })
            }
            table.endLine()
        }
    }

    private func write(_ title: StaticString, _ answers: [BroughtAnswer], _ titles: Int, to table: inout TableText) {
        table.left("\(title)", titles)
        let brought = BroughtAnswers(all: answers, paid: answers)
        for horizon in horizons {
            table.write(.estimatedRevenue, ReportFigure.estimatedRevenue.value(brought, nil, horizon))
        }
        table.endLine()
    }
}

extension TableText {
    /// Writes the headings of the horizons and ends the line. A figure with an estimate has two columns for each
    /// horizon, the estimate and its interval; a figure that is an interval has a single one, as wide as both.
    fileprivate mutating func writeHeads(_ horizons: [Horizon], of figure: ReportFigure) {
        for horizon in horizons {
            right("\(horizon.words)", figure.width)
            if figure.hasInterval { right("95 %", intervalWidth) }
        }
        endLine()
    }

    fileprivate mutating func write(_ figure: ReportFigure, _ value: FigureValue?) {
        let (text, beside) = value?.short ?? (nil, nil)
        right(text, figure.width)
        if figure.hasInterval { right(beside, intervalWidth) }
    }
}

private var estimateWidth: Int { 10 }
private var intervalWidth: Int { 18 }
private var titleOfWeek: Int { 10 }

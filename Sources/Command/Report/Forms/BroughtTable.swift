internal import SKANCommandOutput
internal import SKANCore

/// Estimated revenue of lines, below the table's other figures.
extension Report {
    func writeBrought(_ basis: BroughtBasis, _ deepest: ReportLevel, to table: inout TableText) {
        table.append("\nestimated revenue of these installs, with 95 % intervals\n")
        writeBrought(.amount, deepest, to: &table) { line, horizon in line.brought?[horizon] }
        if let organic = basis.organic.answers { write("organic", organic, titleColumns(deepest), to: &table) }
        write("store", basis.organic.storeAnswers, titleColumns(deepest), to: &table)
        if hasCosts {
            table.append("\nreturn on ad spend by these estimates\n")
            writeBrought(.share, deepest, to: &table) { line, horizon in
                line.brought?.returnOnAdSpend(horizon, line.paid.cost).map { .figure($0) }
            }
        }
        writeWorst(deepest, to: &table)
        writeComparisons(deepest, to: &table)
        writeWeeks(to: &table)
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

    /// Writes the estimated revenue by week of install, or the return on ad spend if costs have dates.
    private func writeWeeks(to table: inout TableText) {
        guard let weeks = total.brought?.weeks, weeks.count > 1 else { return }
        let haveCosts = weeks.contains { $0.cost != nil }
        table.append(haveCosts ? "\nreturn on ad spend" : "\nestimated revenue")
        table.append(" by week of install; installs include redownloads\n")
        table.left("week from", titleOfWeek)
        table.right("installs", estimateWidth)
        if haveCosts { table.right("cost", estimateWidth) }
        for horizon in horizons {
            table.right("\(horizon.words)", estimateWidth)
            table.right("95 %", intervalWidth)
        }
        table.endLine()
        for week in weeks {
            table.left(utcDay(week.start), titleOfWeek)
            table.right(week.installs, estimateWidth)
            if haveCosts { table.right(week.cost?.readable(places: 2), estimateWidth) }
            for horizon in horizons {
                write(week.answer(horizon, isReturn: haveCosts), haveCosts ? .share : .amount, to: &table)
            }
            table.endLine()
        }
    }

    /// Writes the intervals for the case that values were hidden because of what they are.
    private func writeWorst(_ deepest: ReportLevel, to table: inout TableText) {
        guard lines.contains(where: { $0.brought?[.toDate].figure?.worst != nil }) else { return }
        table.append("\nthe same intervals if values were hidden for what they are\n")
        let known = Horizon.ofWindows + [.toDate]
        let titles = titleColumns(deepest)
        table.left("\(dimension.word)", titles)
        for horizon in known { table.right("\(horizon.words)", estimateWidth + intervalWidth + 1) }
        table.endLine()
        for line in lines where line.level <= deepest {
            TableTitle(line).write(to: &table, columns: titles)
            for horizon in known {
                table.right(line.brought?[horizon].figure?.shortWorst(.amount), estimateWidth + intervalWidth + 1)
            }
            table.endLine()
        }
    }

    private func writeComparisons(_ deepest: ReportLevel, to table: inout TableText) {
        guard hasComparisons, deepest >= .campaign || target != nil else { return }
        table.append("\n\(comparisonCaption)\n")
        let titles = titleColumns(deepest)
        table.left("\(dimension.word)", titles)
        if let target { table.right("\(target.words)", targetWidth) }
        table.right("better", estimateWidth)
        table.right("installs it would take", needWidth)
        table.append("  better than, with 80% or more\n")
        for line in lines where line.level <= deepest && line.isCompared {
            TableTitle(line).write(to: &table, columns: titles)
            if target != nil { table.right(line.targetChanceText, targetWidth) }
            table.right(line.betterChanceText, estimateWidth)
            table.right(line.installsNeededText, needWidth)
            if let better = betterThan(line) {
                table.append("  \(better.utf8.withUnsafeBytes { escapedForTerminal($0) })")
            }
            table.endLine()
        }
    }

    private func writeBrought(
        _ unit: FigureUnit, _ deepest: ReportLevel, to table: inout TableText,
        _ answer: (ReportLine, Horizon) -> BroughtAnswer?
    ) {
        let titles = titleColumns(deepest)
        table.left("\(dimension.word)", titles)
        for horizon in horizons {
            table.right("\(horizon.words)", estimateWidth)
            table.right("95 %", intervalWidth)
        }
        table.endLine()
        for line in lines where line.level <= deepest {
            TableTitle(line).write(to: &table, columns: titles)
            for horizon in horizons { write(answer(line, horizon), unit, to: &table) }
            table.endLine()
        }
    }

    private func write(_ title: StaticString, _ answers: [BroughtAnswer], _ titles: Int, to table: inout TableText) {
        table.left("\(title)", titles)
        for horizon in horizons { write(answers[horizon.rawValue], .amount, to: &table) }
        table.endLine()
    }

    private func write(_ answer: BroughtAnswer?, _ unit: FigureUnit, to table: inout TableText) {
        table.right(answer?.figure?.shortText(unit), estimateWidth)
        table.right(answer?.figure?.shortInterval(unit) ?? answer?.whyNot.map { "\($0.short)" }, intervalWidth)
    }
}

private var estimateWidth: Int { 10 }
private var intervalWidth: Int { 18 }
private var titleOfWeek: Int { 10 }
private var targetWidth: Int { 18 }
private var needWidth: Int { 22 }

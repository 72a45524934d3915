import SKANCommandOutput
import SKANCore
import SKANSystem

extension Report {
    /// Writes the report as one page to standard output. It has no scripts and loads nothing.
    package func writePage() {
        writePage { piece in piece.utf8.withUnsafeBytes { StandardOutput.write($0) } }
    }

    /// Writes the page, piece by piece.
    func writePage(_ write: (HTML) -> Void) {
        write(pageHead(style: basis == nil ? "" : intervalStyle))
        write(introduction)
        write(facts)
        write(remarks)
        let hasReturn = hasCosts && hasRevenue && tally.counted > 0
        if hasReturn { writeSection("Return on ad spend", [returnChart, revenueBesideReturn], write) }
        if basis != nil { writeEstimates(hasReturn: hasReturn, write) }
        if tally.counted > 0 { writeCharts(hasReturn: hasReturn, write) }
        if hasReengagements { writeReengagements(write) }
        if let opens { writeOpens(opens, write) }
        write("<h2>All figures</h2>\n")
        writeAllFigures(write)
        writeApps(write)
        if let basis { writeBasis(basis, write) }
        write(qualityPart)
        write("<h2>What is not in the figures</h2>\n")
        write(reasons)
        write(notes)
        write("</main>\n</body>\n</html>\n")
    }

    /// Writes the charts, those of revenue first. `hasReturn`: the chart by campaign is next to the return on ad spend
    /// already.
    private func writeCharts(hasReturn: Bool, _ write: (HTML) -> Void) {
        if hasRevenue {
            let revenue = ChartSubject.revenue(isExtrapolated: isExtrapolated)
            let isShown = hasReturn && basis == nil
            writeSection(
                "Revenue that values report, in \(currencyText)",
                (isShown ? [] : [chartByCampaign(revenue)]) + [chartByNetwork(revenue), chartByWindow(revenue)], write)
        }
        writeSection(
            "Installs",
            [
                chartByCampaign(.installs), chartByNetwork(.installs), chartByNetwork(.winningByLine),
                chartByWindow(.winningByWindow), daysChart,
            ], write)
        writeSection(
            "Values",
            [chartByNetwork(.values), chartByWindow(.values), fineValuesChart, coarseValuesChart], write)
    }

    private func writeReengagements(_ write: (HTML) -> Void) {
        let revenue = hasRevenue ? [chartByWindow(.reengagementRevenue)] : []
        writeSection("Re-engagements", [chartByWindow(.reengagementValues)] + revenue, write)
        writeReengagementFigures(write)
    }
}

/// The page's head, which forbids the page to load or run anything.
private func pageHead(style: HTML) -> HTML {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
    <link rel="icon" href="data:,">
    <title>Postback report</title>
    <style>
    \(pageStyle)\(style)</style>
    </head>
    <body>
    <main>
    <h1>Postback report</h1>

    """
}

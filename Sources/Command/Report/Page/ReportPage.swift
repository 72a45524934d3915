internal import SKANCommandOutput
internal import SKANCore
internal import SKANSystem

extension Report {
    /// The report as one page on standard output: no script, nothing from elsewhere.
    package func writePage() {
        writePage { piece in piece.utf8.withUnsafeBytes { StandardOutput.write($0) } }
    }

    /// Piece by piece.
    func writePage(_ write: (HTML) -> Void) {
        write(pageHead(style: basis == nil ? "" : intervalStyle))
        write(introduction)
        write(facts)
        if tally.counted > 0 { writeCharts(write) }
        if let basis { writeBrought(basis, write) }
        if hasReengagements { writeReengagements(write) }
        write("<h2>All figures</h2>\n")
        writeAllFigures(write)
        write("<h2>What is not in the figures</h2>\n")
        write(reasons)
        write(notes)
        write("</main>\n</body>\n</html>\n")
    }

    /// Charts below a title, one after the other.
    private func section(_ title: HTML, _ charts: [() -> HTML], _ write: (HTML) -> Void) {
        write("<h2>\(title)</h2>\n<div class=\"charts\">\n")
        for chart in charts { write(chart()) }
        write("</div>\n")
    }

    private func writeCharts(_ write: (HTML) -> Void) {
        section(
            "Installs",
            [
                { chartByNetwork(.installs) }, { chartByCampaign(.installs) }, { chartByNetwork(.winningByLine) },
                { chartByWindow(.winningByWindow) }, { daysChart },
            ], write)
        if hasRevenue {
            let revenue = ChartSubject.revenue(isExtrapolated: isExtrapolated)
            section(
                "Revenue that values tell, in \(currencyText)",
                [{ chartByNetwork(revenue) }, { chartByCampaign(revenue) }, { chartByWindow(revenue) }], write)
        }
        section(
            "Values",
            [
                { chartByNetwork(.values) }, { chartByWindow(.values) }, { fineValuesChart }, { coarseValuesChart },
            ], write)
    }

    private func writeReengagements(_ write: (HTML) -> Void) {
        let revenue = hasRevenue ? [{ chartByWindow(.reengagementRevenue) }] : []
        section("Re-engagements", [{ chartByWindow(.reengagementValues) }] + revenue, write)
        writeReengagementFigures(write)
    }
}

/// It may load nothing, and run nothing.
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

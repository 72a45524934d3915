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
        write(pageHead)
        write(introduction)
        write(facts)
        if tally.counted > 0 {
            writeInstallCharts(write)
            if hasRevenue { writeRevenueCharts(write) }
            writeValueCharts(write)
        }
        if hasReengagements { writeReengagements(write) }
        write("<h2>All figures</h2>\n")
        writeAllFigures(write)
        write("<h2>What is not in the figures</h2>\n")
        write(reasons)
        write(notes)
        write("</main>\n</body>\n</html>\n")
    }

    private func writeInstallCharts(_ write: (HTML) -> Void) {
        write("<h2>Installs</h2>\n<div class=\"charts\">\n")
        write(chartByNetwork(.installs))
        write(chartByCampaign(.installs))
        write(chartByNetwork(.winningByLine))
        write(chartByWindow(.winningByWindow))
        write(daysChart)
        write("</div>\n")
    }

    private func writeRevenueCharts(_ write: (HTML) -> Void) {
        write("<h2>Revenue in \(currencyText)</h2>\n<div class=\"charts\">\n")
        write(chartByNetwork(.revenue))
        write(chartByCampaign(.revenue))
        write(chartByWindow(.revenue))
        write("</div>\n")
    }

    private func writeValueCharts(_ write: (HTML) -> Void) {
        write("<h2>Values</h2>\n<div class=\"charts\">\n")
        write(chartByNetwork(.values))
        write(chartByWindow(.values))
        write(fineValuesChart)
        write(coarseValuesChart)
        write("</div>\n")
    }

    private func writeReengagements(_ write: (HTML) -> Void) {
        write("<h2>Re-engagements</h2>\n<div class=\"charts\">\n")
        write(chartByWindow(.reengagementValues))
        if hasRevenue { write(chartByWindow(.reengagementRevenue)) }
        write("</div>\n")
        writeReengagementFigures(write)
    }
}

/// It may load nothing, and run nothing.
private var pageHead: HTML {
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
    \(pageStyle)</style>
    </head>
    <body>
    <main>
    <h1>Postback report</h1>

    """
}

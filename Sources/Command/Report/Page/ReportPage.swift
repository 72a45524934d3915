import SKANCommandOutput
import SKANCore
import SKANSystem

extension Report {
    /// Writes the report as one page to standard output. The page loads nothing, and is readable without its script.
    package func writePage() {
        writePage { piece in piece.utf8.withUnsafeBytes { StandardOutput.write($0) } }
    }

    /// Writes the page piece by piece: the answer, the campaigns, their trends, and the figures behind them.
    func writePage(_ write: (HTML) -> Void) {
        write(pageHead)
        write(introduction)
        write("\(answer)\(ground)\(care)\(pageWords)\(controls)")
        writeCampaigns(write)
        write(remarks)
        writeTrends(write)
        writeEventsAndValues(write)
        write("\(campaignWeeks)\(countryTable)")
        write(qualityPart)
        if hasReengagements { writeReengagements(write) }
        if let opens { writeOpens(opens, write) }
        if basis != nil { writeEstimates(write) }
        write("<h2>All counts</h2>\n")
        writeAllFigures(write)
        writeApps(write)
        if let basis { write(basisPart(basis)) }
        write("<h2>What is not in the figures</h2>\n")
        write(reasons)
        write(notes)
        write(pageEnd)
    }
}

import SKANCommandOutput
import SKANCore

extension Report {
    var allFigures: LineTable {
        LineTable(
            label: "All figures", caption: "Networks, their campaigns and ad sets", group: .installs,
            columns: shownFigures(.installs).map(LineColumn.init))
    }

    var reengagementFigures: LineTable {
        LineTable(
            label: "Re-engagements", caption: "Re-engagements of networks, their campaigns and ad sets",
            group: .reengagements, columns: shownFigures(.reengagements).map(LineColumn.init))
    }

    /// Writes row by row, since there may be many, until the program is ended.
    func writeAllFigures(_ write: (HTML) -> Void) {
        let table = allFigures
        var hasMarked = false
        write(table.head(currency: currencyText))
        for line in lines where !Ending.isEnding {
            let isMarked = line.isCostPartial
            write(table.row(line, isMarked: isMarked))
            hasMarked = hasMarked || isMarked
        }
        write(table.end)
        guard hasMarked else { return }
        write(
            """
            <p>* Cost per install and return on ad spend are of the campaigns that have a cost; others are in this \
            line too.</p>

            """)
    }

    /// Writes the lines of each app, if there are several.
    func writeApps(_ write: (HTML) -> Void) {
        guard !apps.isEmpty else { return }
        write("<h2>Apps</h2>\n")
        for app in apps {
            write("<h3>App \("\(app.filter.app ?? 0)" as Message)</h3>\n")
            app.writeAllFigures(write)
        }
        if let sharedCosts { write("<p>\(sharedCosts)</p>\n") }
    }

    /// Writes the lines that have re-engagements.
    func writeReengagementFigures(_ write: (HTML) -> Void) {
        let table = reengagementFigures
        write(table.head(currency: currencyText))
        for line in lines where !Ending.isEnding && line.counts.hasReengagements {
            write(table.row(line, isMarked: false))
        }
        write(table.end)
    }
}

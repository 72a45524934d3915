internal import SKANCommandOutput
internal import SKANCore

extension Report {
    var allFigures: LineTable {
        var columns = [
            LineColumn(head: "Installs") { $1.conversions[.install].readable },
            LineColumn(head: "Redown\u{AD}loads") { $1.conversions[.redownload].readable },
        ]
        columns += reengagementColumns(isExtrapolated: isExtrapolated)
        if hasCosts {
            columns.append(LineColumn(head: "Cost") { line, _ in line.counts.cost?.readable(places: 2) })
            columns.append(LineColumn(head: "Cost per install") { line, _ in line.costPerInstall(places: 2)?.grouped })
        }
        if hasCosts && hasRevenue {
            columns.append(
                LineColumn(head: "Return on ad spend, at least") { line, _ in line.returnOnAdSpendAtLeastPercent })
            if isExtrapolated {
                columns.append(
                    LineColumn(head: "Return on ad spend, extrapolated") { line, _ in
                        line.returnOnAdSpendExtrapolatedPercent
                    })
            }
        }
        return LineTable(
            label: "All figures", caption: "Networks, their campaigns and ad sets", group: .installs, columns: columns)
    }

    var reengagementFigures: LineTable {
        LineTable(
            label: "Re-engagements", caption: "Re-engagements of networks, their campaigns and ad sets",
            group: .reengagements, columns: reengagementColumns(isExtrapolated: true))
    }

    /// What both tables tell.
    private func reengagementColumns(isExtrapolated: Bool) -> [LineColumn] {
        var columns = [
            LineColumn(head: "Re-engage\u{AD}ments") { $1.conversions[.reengagement].readable },
            LineColumn(head: "Non-winning") { $1.lost.readable },
            LineColumn(head: "Hidden") { percentText($1.hidden, of: $1.winning).map { "\($0)%" } },
        ]
        if hasRevenue {
            columns.append(LineColumn(head: "Revenue that values tell, at least") { $1.least?.readable(places: 2) })
        }
        if hasRevenue && isExtrapolated {
            columns.append(LineColumn(head: "Revenue, extrapolated") { $1.extrapolated?.readable(places: 2) })
        }
        return columns
    }

    /// Row by row, for there may be many, until somebody ends it.
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

    /// The lines that have any.
    func writeReengagementFigures(_ write: (HTML) -> Void) {
        let table = reengagementFigures
        write(table.head(currency: currencyText))
        for line in lines where !Ending.isEnding && line.counts.hasReengagements {
            write(table.row(line, isMarked: false))
        }
        write(table.end)
    }
}

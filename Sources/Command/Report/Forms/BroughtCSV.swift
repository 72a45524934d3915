import SKANCommandOutput
import SKANCore
import SKANTruth

extension CSVWriter {
    /// Writes the cells of estimates at the end of a row: the estimates for each horizon, then the comparisons with
    /// other campaigns. The cells are empty in rows of single windows, which have no estimates.
    mutating func writeEstimates(of line: ReportLine, isOfWindow: Bool) {
        let brought = isOfWindow ? nil : line.brought
        for horizon in Horizon.allCases {
            for figure in ReportFigure.ofHorizons where figure.names.column != nil {
                write(figure, brought.flatMap { figure.value($0.figures, line.paid.cost, horizon) })
            }
        }
        let figures = Figures(line.counts, .installs)
        for figure in ReportFigure.ofComparisons where figure.names.column != nil {
            write(figure, isOfWindow ? nil : figure.value(line, figures))
        }
    }

    private mutating func write(_ figure: ReportFigure, _ value: FigureValue?) {
        for part in figure.names.parts { plain(value?.exact(part) ?? "") }
    }
}

/// The names of the columns that `writeEstimates` fills, each preceded by a comma.
var estimatesHeader: Message {
    var header: Message = ""
    for horizon in Horizon.allCases {
        for figure in ReportFigure.ofHorizons {
            guard let column = figure.names.column else { continue }
            for part in figure.names.parts { header = "\(header),\(column)_\(horizon.key)\(part.columnEnd)" }
        }
    }
    for figure in ReportFigure.ofComparisons {
        if let column = figure.names.column { header = "\(header),\(column)" }
    }
    return header
}

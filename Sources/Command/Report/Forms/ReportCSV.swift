import SKANCommandOutput
import SKANCommandRows
import SKANCore
import SKANTruth

/// The report as comma-separated values: for each line one row for all windows, and one for each window. If there are
/// several apps, the total of each app has such rows, too.
extension Report {
    func printCSV() {
        StandardOutput.write("\(header)\(basis == nil ? "" : estimatesHeader),app\(qualityHeader)\r\n")
        for line in lines { write(line, "\(line.level.name(line.dimension))", filter.app) }
        for app in apps { write(app.total, "app", app.filter.app) }
    }

    private func write(_ line: ReportLine, _ level: Message, _ app: Int64?) {
        var writer = CSVWriter()
        write(line, level, app, nil, to: &writer)
        for window in Window.all { write(line, level, app, window, to: &writer) }
    }

    private func write(
        _ line: ReportLine, _ level: Message, _ app: Int64?, _ window: Window?, to writer: inout CSVWriter
    ) {
        writer.plain(level)
        write(line, window, to: &writer)
        writer.known(app.map { "\($0)" })
        // Only the total of all apps and the networks have figures of data quality.
        let isWhole = window == nil && line.level <= .network && app == filter.app
        writer.write(isWhole ? quality.quality(of: line.level == .total ? nil : line.network) : nil)
        StandardOutput.write(writer.endRow())
    }

    /// Writes the cells of a row, except the level before them and the app and data quality after them. `window`: nil
    /// for all windows. Only rows for all windows and for window 0, which counts conversions, have conversions.
    private func write(_ line: ReportLine, _ window: Window?, to row: inout CSVWriter) {
        let areConversionsReported = window == nil || window == .first
        row.text(line.network)
        row.text(line.identifier)
        row.text(line.name)
        row.text(line.adSet)
        row.plain(window.map { "\($0.rawValue)" } ?? "all")
        let figures = Figures(line.counts, .installs, in: window)
        for figure in columns {
            let isTold =
                switch figure.scope {
                case .postbacks: true
                case .conversions: areConversionsReported
                case .line, .horizons, .comparison: window == nil
                }
            row.known(isTold ? figure.value(line, figures)?.exact : nil)
        }
        row.dates(areConversionsReported ? line.counts[dates: .installs] : nil)
        row.plain(currencyText)
        let reengagements = Figures(line.counts, .reengagements, in: window)
        for figure in columns where figure.scope == .postbacks {
            row.known(figure.value(line, reengagements)?.exact)
        }
        row.dates(areConversionsReported ? line.counts[dates: .reengagements] : nil)
        row.text(line.networkName)
        if basis != nil { row.writeEstimates(of: line, isOfWindow: window != nil) }
    }
}

private var columns: [ReportFigure] { ReportFigure.counted.filter { $0.names.column != nil } }

private var header: Message {
    var header: Message = "level,network,identifier,campaign,ad_set,window"
    for figure in columns { header = "\(header),\(figure.names.column ?? "")" }
    header = "\(header),installed_from,installed_until,installed_until_if_locked,currency"
    for figure in columns where figure.scope == .postbacks {
        header = "\(header),reengagement_\(figure.names.column ?? "")"
    }
    return "\(header),reengaged_from,reengaged_until,reengaged_until_if_locked,network_name"
}

extension CSVWriter {
    fileprivate mutating func text(_ text: [UInt8]?) { (text ?? []).withUnsafeBytes { self.text($0) } }

    fileprivate mutating func known(_ text: Message?) { plain(text ?? "") }

    fileprivate mutating func dates(_ dates: EstimatedDates?) {
        known(dates.map { utcTime($0.from) })
        known(dates.map { utcTime($0.untilUnlocked) })
        known(dates.map { utcTime($0.until) })
    }
}

extension ReportLevel {
    fileprivate func name(_ dimension: ReportDimension) -> StaticString {
        switch self {
        case .total: "total"
        case .network: "network"
        case .campaign: dimension.word
        case .adSet: "ad set"
        }
    }
}

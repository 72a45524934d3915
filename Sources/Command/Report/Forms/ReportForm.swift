/// The ways to show a report, on standard output.
package enum ReportForm {
    case table, json, csv, html
}

extension Report {
    /// `deepest`: how deep the table goes.
    @export(interface)
    package func show(as form: ReportForm, _ deepest: ReportLevel) {
        switch form {
        case .table: printTable(deepest)
        case .json: printJSON()
        case .csv: printCSV()
        case .html: writePage()
        }
    }
}

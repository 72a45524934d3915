import SKANCommandModels
import SKANCommandOutput
import SKANCore
import SKANSystem

extension Subcommand {
    static let modelExport = Subcommand(
        "model export", ["FILE"], summary: "prints a model in a form that networks read",
        """
        Prints a model as rows of conditions, which say every model, as GA4's schema, or as the table of Google's App \
        Reporting Pack. What these two cannot say is refused, a line for each rule with the reason, and the exit code \
        is 1; nothing is printed then. --form is needed.
        """,
        [.modelFile], values: ExportLine(),
        options: OptionGroup(
            .choice("form", ExportLine.forms, { $1(&$0.form) }, "The form."),
            .flag(
                "csv", { $1(&$0.isCSV) },
                "Rows in AppsFlyer's columns, with the rule and its condition, as JSON, behind them."),
            .value("map", "FILE", "Names of events: a JSON object {ours: theirs}; __SESSION__ names sessions.") {
                $0.map = $1.text
            },
            .flag(
                "apply", { $1(&$0.isApplied) },
                "GA4: Google's SDK sets values too, and linked Google Ads accounts get the schema."),
            .value("app-id", "ID", "App Reporting Pack: the app's id in the rows.", byDefault: "the model's id") {
                $0.app = $1.utf8
            },
            .flag("partial", { $1(&$0.isPartial) }, "Prints what can be said although something cannot."))
    ) { given throws(CommandEnd) in
        let line = given.values
        guard let form = line.form else { throw .usage(what: "model export", why: "expected --form FORM") }
        if line.isCSV, form != .rows { throw .usage(what: "--csv", why: "only --form rows takes this option") }
        if line.app != nil, form != .reportingPack {
            throw .usage(what: "--app-id", why: "only --form arp-csv takes this option")
        }
        if line.isApplied, form != .ga4 { throw .usage(what: "--apply", why: "only --form ga4 takes this option") }
        var request = ExportRequest(form)
        if let map = line.map { request.map = try EventMap.read(map) }
        request.app = line.app
        (request.isCSV, request.isApplied, request.isPartial) = (line.isCSV, line.isApplied, line.isPartial)
        return exportModel(try ModelFile.read(given.arguments[0]), request)
    }
}

private struct ExportLine: Sendable {
    var form: ExportRequest.Form?
    var isCSV = false
    var map: CText?
    var app: [UInt8]?
    var isApplied = false
    var isPartial = false

    static var forms: [(word: StaticString, choice: ExportRequest.Form?)] {
        [("rows", .rows), ("ga4", .ga4), ("arp-csv", .reportingPack)]
    }
}

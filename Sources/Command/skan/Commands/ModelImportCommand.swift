import SKANCommandModels
import SKANCommandOutput
import SKANCore
import SKANSystem

extension Subcommand {
    static let modelImport = Subcommand(
        "model import", ["FILE"], summary: "prints a vendor's schema, or rows, as a model",
        """
        Prints the model that says what a schema says. What a model cannot say is refused, a line for each row with \
        the reason, and the exit code is 1; nothing is printed then. What is read with a doubt is a note on standard \
        error. --from is needed. FILE is the schema; - is standard input.
        """,
        [], values: ImportLine(),
        options: OptionGroup(
            .choice(
                "from", ImportLine.forms, { $1(&$0.form) },
                "AppsFlyer's schema, Google's App Reporting Pack or GA4, Meta's or TikTok's SDK, or our own rows."
            ),
            .value("id", "ID", "The model's id.", byDefault: "the document's, or else the file's name") {
                $0.id = $1.utf8
            },
            .value("map", "FILE", "Names of events: a JSON object {ours: theirs}; __SESSION__ names sessions.") {
                $0.map = $1.text
            },
            .value(
                "currency", "CODE", "The currency of amounts; another than the schema names is an error.",
                byDefault: "USD"
            ) { $0.currency = $1.utf8 },
            .choice(
                "same-value", ImportLine.sameValues, { $1(&$0.sameValue) },
                "Tables: what rows with one value mean: refused, any of them, or all of them."),
            .value("app-id", "ID", "App Reporting Pack: the app whose rows to read, if there are several.") {
                $0.app = $1.utf8
            },
            .flag("partial", { $1(&$0.isPartial) }, "Prints what can be said although something cannot."))
    ) { given throws(CommandEnd) in
        let line = given.values
        guard let form = line.form else { throw .usage(what: "model import", why: "expected --from FORM") }
        var request = ImportRequest(form)
        if let id = line.id { request.id = id }
        if line.map != nil, form == .rows || form == .rowTable {
            throw .usage(what: "--map", why: "rows already have libskan's names of events")
        }
        if let map = line.map { request.map = try EventMap.read(map) }
        request.currency = line.currency
        request.sameValue = line.sameValue
        if line.app != nil, form != .reportingPack {
            throw .usage(what: "--app-id", why: "only --from arp-csv takes this option")
        }
        request.app = line.app
        request.isPartial = line.isPartial
        return try importModel(given.arguments[0], request)
    }
}

private struct ImportLine: Sendable {
    var form: ImportRequest.Form?
    var id: [UInt8]?
    var map: CText?
    var currency: [UInt8]?
    var sameValue: ImportRequest.SameValue?
    var app: [UInt8]?
    var isPartial = false

    static var forms: [(word: StaticString, choice: ImportRequest.Form?)] {
        [
            ("appsflyer-csv", .appsFlyer), ("arp-csv", .reportingPack), ("ga4", .ga4), ("meta", .meta),
            ("tiktok", .tikTok), ("rows", .rows), ("rows-csv", .rowTable),
        ]
    }

    static var sameValues: [(word: StaticString, choice: ImportRequest.SameValue?)] {
        [("refused", nil), ("any", .any), ("all", .all)]
    }
}

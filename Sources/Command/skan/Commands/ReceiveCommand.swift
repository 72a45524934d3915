import SKANCommandOutput
import SKANCommandReceive
import SKANCommandRows
import SKANCommandServer
import SKANCore
import SKANSystem

extension Subcommand {
    static let receive = Subcommand(
        "receive", ["STORE", "[FILE|FOLDER|-]..."],
        summary: "takes in postbacks from files, as skan serve does over HTTP",
        """
        Verifies Apple's postbacks that were saved in files, and counts each once, by the rules of skan serve \
        --postbacks. It makes STORE if it is not there. A file has one postback, one on each line (JSON Lines), or an \
        array of them; gzip is unpacked; - is standard input. In a folder every file is read, in the order of names, \
        also in the folders below it; names that begin with a dot are left out.

        The member that --received-field names has the arrival as 2026-01-31T10:00:00Z, as databases print it, which \
        is UTC if it does not say otherwise, or as the number of seconds, milliseconds, microseconds or nanoseconds \
        since 1970. Models are chosen by it, and reports and rows show it. Without it, postbacks arrive now.

        With --columns, the files have rows that others stored: JSON Lines, an array of objects, or CSV, whose first \
        line has the names of columns.

        A postback that STORE has already is a duplicate and keeps its first arrival, so a run that was stopped can be \
        repeated. No partner is told of these postbacks, neither now nor by a skan serve that is started later. If \
        partners should know of them, post them to skan serve --networks instead.

        With --refused it takes no files: it judges the refused postbacks of STORE again by the options given, each at \
        its own arrival, in the order of arrival, and counts each once. Those that are still refused stay. The run can \
        be stopped and repeated. The sender of one that a network passed on is that network of NETWORKS. What was cut \
        when it was stored cannot be judged; see skan refused.

        What is not a postback, or does not say when it arrived, is not stored. The first 20 are named with file and \
        line, the others are counted, and the exit code is 1. It is also 1 if a file cannot be read to its end, if the \
        store fails, or if a model without an app would decode postbacks of two apps, which ends the run. Duplicates \
        and refused postbacks are no errors; the last line says how many there were. If nothing is counted because \
        all postbacks are refused for one reason, a message says so, and the exit code is 1 if they are all of other \
        apps or ad networks than the options name.

        A model without APP is for one app. If it would decode postbacks of two of --app-id, it is refused; say which \
        is meant, as 990001234=FILE or 990001234:FROM=FILE, several apps with commas, or "any" for every app without a \
        model of its own.
        """,
        [.columns, .stores], values: PostbackFiles(),
        options: OptionGroup(
            "Arrival and models",
            .value("received-field", "NAME", "The member of each postback, or the column, that says when it arrived.") {
                $0.receivedField = $1.utf8
            },
            .value("columns", "FILE", "Where rows have Apple's members: a JSON object {Apple's: theirs}.") {
                $0.columns = $1.text
            },
            .value(
                "model", "[APP=]FILE", "The model of all installs, of this app, which decodes their postbacks.",
                isRepeatable: true
            ) {
                let model = $1.appModelFile
                $0.sources.append($1.source(.installModel(model.apps, from: model.start), model.file))
            }),
        OptionGroup(
            "Judging refused postbacks again",
            .flag("refused", { $1(&$0.judgesRefused) }, "Judges refused postbacks of STORE again, in place of files."),
            .value("reason", "REASON", "Only those refused for this reason; see skan refused.", isRepeatable: true) {
                values, given throws(CommandEnd) in values.reasons.append(try given.refusedReason())
            },
            .value("networks", "NETWORKS", "The file of skan serve: the networks that may pass postbacks on.") {
                $0.sources.removeAll { $0.isNetworks }
                $0.sources.append($1.source(.networks))
            },
            .flag(
                "tell-partners", { $1(&$0.tellsPartners) },
                "Has partners in NETWORKS told of those that are counted, by a skan serve on STORE.")),
        .received, .refused
    ) { given throws(CommandEnd) in
        var files = given.values
        files.paths = [CText](given.arguments.dropFirst())
        try files.check(given.options)
        try files.options.checkApps("receive")
        if files.paths.count(where: { $0.isStandardInput }) > 1 {
            throw .usage(what: "-", why: "standard input can be read only once")
        }
        return try files.receive(into: given.arguments[0])
    }
}

extension PostbackFiles {
    /// Checks options that depend on each other.
    fileprivate func check(_ options: GivenOptions) throws(CommandEnd) {
        guard judgesRefused else {
            for name in ["reason", "networks", "tell-partners"] as [StaticString] where options.has(name) {
                throw .usage(what: "--\(name)", why: "this option needs --refused")
            }
            guard paths.isEmpty else { return }
            throw .usage(
                what: "receive",
                why: "an argument is missing, expected: skan receive STORE FILE|FOLDER|-..., or --refused")
        }
        if !paths.isEmpty { throw .usage(what: "--refused", why: "expected no files beside this option") }
        if options.has("received-field") {
            throw .usage(what: "--received-field", why: "refused postbacks keep their own arrival")
        }
        if options.has("columns") { throw .usage(what: "--columns", why: "refused postbacks are stored as postbacks") }
        if tellsPartners && !options.has("networks") {
            throw .usage(what: "--tell-partners", why: "expected --networks NETWORKS, which names the partners")
        }
    }
}

extension GivenValue {
    func refusedReason() throws(CommandEnd) -> RefusedReason {
        RefusedReason.allCases[try index(in: RefusedReason.allCases.map { $0.name })]
    }
}

extension HelpSection {
    /// Rules, "Columns".
    fileprivate static var columns: HelpSection {
        HelpSection(
            title: "Columns",
            text: """
                FILE of --columns has Apple's names of members and the columns in which rows have them: \
                {"app-id": "skad_app_id", "conversion-value": "skad_conversion_value"}. A column may be a path with \
                dots into nested objects, also into those that a column has as text, or an array of several, of which \
                the first that has a value counts. Three names are not Apple's:
                  postback  the whole postback, as an object or as text, in place of its
                            members; also with names like ad_network_id and adNetworkId
                  received  when it arrived; --received-field is used in its place
                  network   the id of the ad network that passed it on; postbacks of
                            others are refused then, as over HTTP

                Numbers and truths may be text; what is empty or null is left out. Then the postback is verified as \
                any other. share/skan/columns has maps for rows with a column for each member, with the prefix skad_ \
                or without; for envelopes with the postback as text; and for postbacks below a key. Each stands beside \
                an example, which Apple has signed.
                """)
    }
}

extension PostbackFiles: TakesPostbacks {
    var postbacks: PostbackOptions {
        get { options }
        set { options = newValue }
    }
}

import SKANCommandOutput
import SKANCommandReceive
import SKANCommandServer
import SKANCore
import SKANSystem

extension Subcommand {
    static let receive = Subcommand(
        "receive", ["STORE", "FILE|FOLDER|-..."],
        summary: "takes in postbacks from files, as skan serve does over HTTP",
        """
        Verifies Apple's postbacks that were saved in files, and counts each once, by the rules of skan serve \
        --postbacks. It makes STORE if it is not there. A file has one postback, one on each line (JSON Lines), or an \
        array of them; gzip is unpacked; - is standard input. In a folder every file is read, in the order of names, \
        also in the folders below it; names that begin with a dot are left out.

        The member that --received-field names has the arrival as 2026-01-31T10:00:00Z, in Unix seconds or in \
        milliseconds. Models are chosen by it, and reports and rows show it. Without it, postbacks arrive now.

        A postback that STORE has already is a duplicate and keeps its first arrival, so a run that was stopped can be \
        repeated. No partner is told of these postbacks, neither now nor by a skan serve that is started later. If \
        partners should know of them, post them to skan serve --networks instead.

        What is not a postback, or does not say when it arrived, is not stored. The first 20 are named with file and \
        line, the others are counted, and the exit code is 1. It is also 1 if a file cannot be read to its end, or if \
        the store fails, or if a model without an app would decode postbacks of two apps, which ends the run. Duplicates and \
        refused postbacks are no errors; the last line says how many there were.

        A model without APP is for one app. If it would decode postbacks of two of --app-id, it is refused; say which \
        is meant, as 990001234=FILE or 990001234:FROM=FILE, several apps with commas, or "any" for every app without a \
        model of its own.
        """,
        [.stores], values: PostbackFiles(),
        options: OptionGroup(
            "Arrival and models",
            .value("received-field", "NAME", "The member of each postback that says when it arrived.") {
                $0.receivedField = $1.utf8
            },
            .value(
                "model", "[APP=]FILE", "The model of all installs, of this app, which decodes their postbacks.",
                isRepeatable: true
            ) {
                let model = $1.appModelFile
                $0.sources.append($1.source(.installModel(model.apps, from: model.start), model.file))
            }),
        .received, .refused
    ) { given throws(CommandEnd) in
        var files = given.values
        try files.options.checkApps("receive")
        files.paths = [CText](given.arguments.dropFirst())
        if files.paths.count(where: { $0.isStandardInput }) > 1 {
            throw .usage(what: "-", why: "standard input can be read only once")
        }
        return try files.receive(into: given.arguments[0])
    }
}

extension PostbackFiles: TakesPostbacks {
    var postbacks: PostbackOptions {
        get { options }
        set { options = newValue }
    }
}

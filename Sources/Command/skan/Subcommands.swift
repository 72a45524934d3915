internal import SKANCommandOutput
internal import SKANCore

extension Subcommand {
    /// All of them, as help lists them.
    static var all: [Subcommand] {
        [
            .show, .export, .import, .move, .check, .purge, .serve, .receive, .modelCheck, .modelTable, .modelTry,
            .modelDecode, .modelNew, .modelImport, .modelExport, .report, .postbacks, .verify, .outbox,
        ]
    }
}

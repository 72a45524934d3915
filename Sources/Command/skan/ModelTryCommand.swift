internal import SKANCommandModels
internal import SKANCommandOutput
internal import SKANCore
internal import SKANSystem

extension Subcommand {
    static let modelTry = Subcommand(
        "model try", arguments: "FILE EVENTS [--json]",
        summary: "the values that a history gets, step by step, and why",
        help: """
            Lets one install live through a history, in memory, and tells for each step the
            day and window, the counts and revenue that the model sees, the rule that holds,
            and the update for the device, or why there is none. EVENTS has a JSON object in
            each line, one of
              {"time": 0, "register": true}
              {"time": 60, "session": true}
              {"time": 300, "event": "tutorial_complete"}
              {"time": 400, "revenue": 4.99, "currency": "USD", "ad": false}
            time is in whole seconds, of the history or since 1970, or ISO 8601, such as
            "2026-01-31T10:00:00Z" or "2026-01-31T11:00:00+01:00"; it never goes back.
            Without it a line has the time of the line before. ad is false if not said. All
            but register may have an id: one that came before is not counted again. Values
            come at sessions and events; revenue, negative for refunds, waits for the next.
            Wrong lines are named and left out, and exit code 1 follows.
              --json  a line for each step: line, time, day, step, status, update, why, seen
                      (the library's explanation)

            FILE is a conversion model; - is standard input, for one of the two.
            share/skan/models has ready ones.

            """,
        options: [.flag("json")]
    ) { line throws(CommandEnd) in
        var asDocuments = false
        while try line.nextOption() != nil { asDocuments = true }
        let paths = try line.arguments(2)
        if paths[0].isStandardInput && paths[1].isStandardInput {
            throw .usage(what: "-", why: "standard input cannot be the model and the history")
        }
        let file = try ModelFile.read(paths[0])
        return try tryHistory(paths[1], by: file, asDocuments: asDocuments)
    }
}

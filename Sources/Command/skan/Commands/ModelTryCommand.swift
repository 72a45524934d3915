import SKANCommandModels
import SKANCommandOutput
import SKANCore
import SKANSystem

extension Subcommand {
    static let modelTry = Subcommand(
        "model try", ["FILE", "EVENTS"],
        summary: "shows the values that a history gets, step by step, and why",
        """
        Plays a history for one install, in memory. For each step it prints the day, the window, the counts and \
        revenue that the model sees, the rule that holds, and the update for the device or the reason why there is none.
        """,
        [
            HelpSection(
                title: "Histories",
                text: """
                    EVENTS has a JSON object in each line, one of
                      {"time": 0, "register": true}
                      {"time": 60, "session": true}
                      {"time": 300, "event": "tutorial_complete"}
                      {"time": 400, "revenue": 4.99, "currency": "USD", "ad": false}
                      {"time": 500, "event": "purchase", "revenue": 4.99, "currency": "USD"}
                    A model for re-engagements has "reengage" in place of "register": the tap on an ad that brought a \
                    player back, with "tag", "open_id" and "reference", which may be left out:
                      {"time": 0, "reengage": {"tag": "1"}}
                    "time" is in whole seconds, from the start of the history or since 1970, or ISO 8601, such as \
                    "2026-01-31T10:00:00Z" or "2026-01-31T11:00:00+01:00". It never goes back; a line without it has \
                    the time of the line before. "ad" is false by default. All lines but "register" may have an "id": \
                    a second line with the same id is not counted. Values change at sessions and events; revenue, \
                    negative for refunds, takes effect at the next of them, or at the one that it comes with. Wrong \
                    lines are named and left out, and the exit code is then 1.
                    """),
            .modelFile,
            HelpSection(title: "Standard input", text: "FILE or EVENTS may be -, but not both."),
        ],
        values: false,
        options: OptionGroup(
            .flag("json", { $1(&$0) }, "Prints a line for each step; \"seen\" is the library's explanation."))
    ) { given throws(CommandEnd) in
        let paths = given.arguments
        if paths[0].isStandardInput && paths[1].isStandardInput {
            throw .usage(what: "-", why: "standard input cannot be the model and the history")
        }
        return try tryHistory(paths[1], by: try ModelFile.read(paths[0]), asDocuments: given.values)
    }
}

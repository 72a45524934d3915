import SKANCore

extension CommandPage {
    /// Returns the page of skan itself, which lists all commands.
    static func overview(_ commands: [Subcommand]) -> CommandPage {
        CommandPage(
            name: "", arguments: ["COMMAND", "..."],
            summary: "SKAdNetwork stores, conversion values, postbacks and reports",
            text: """
                libskan keeps the SKAdNetwork state of every app install as a record in a store. skan shows, copies, \
                checks and cleans such stores, also while services use them. It serves conversion values and receives \
                postbacks over HTTP, tries conversion models, and reports what postbacks show about ads.

                A store may hold installs (among them the users of skan serve, with the models that they began with), \
                postbacks with the outbox entries for partners, or both. A command reads the records of its kind, \
                leaves the others alone, and says on standard error how many there are; if there are none of its own \
                kind, the exit code is 1. move and check take records of every kind.
                """,
            sections: [
                HelpSection(title: "Commands", list: commands.map { $0.page.entry }),
                .options, .stores, .exitCodes, .examples,
            ])
    }
}

extension HelpSection {
    fileprivate static var options: HelpSection {
        HelpSection(
            title: "Options",
            text: """
                skan COMMAND --help or skan help COMMAND prints the options of a command. skan --version \
                prints the version. Options may be shortened as long as only one fits.

                Every command that has options reads them from a file, too, with --options FILE:
                  # The options of skan serve.
                  model = /etc/skan/model.json
                  app-id = 525463029
                  any-key
                Each line is "name = value", or the name alone for an option without a value. A # at the \
                start of a line or after a blank begins a comment. A file counts where it stands in the \
                command line: of an option that may be given once, the last one holds. Whatever is wrong is \
                named with file, line and column.
                """)
    }

    fileprivate static var exitCodes: HelpSection {
        HelpSection(
            title: "Exit codes",
            list: [
                HelpEntry(label: "0", text: "All is well."),
                HelpEntry(label: "1", text: "Something was found or failed; standard error names it."),
                HelpEntry(label: "2", text: "The command line is wrong."),
                HelpEntry(
                    label: "signals",
                    text: """
                        After SIGINT, SIGTERM or SIGHUP a command finishes the record at hand, prints its \
                        summary and ends as that signal ends programs. For skan serve, see its page.
                        """),
            ])
    }

    fileprivate static var examples: HelpSection {
        HelpSection(
            title: "Examples",
            text: """
                  skan export sqlite:players.db | gzip > players.jsonl.gz
                  zcat players.jsonl.gz | skan import env:GAME_STORE -
                  skan purge env:GAME_STORE --closed-before 90
                  skan forget env:GAME_STORE player-1
                  skan receive sqlite:postbacks.db march/ --app-id 525463029
                  skan model table /usr/share/skan/models/mixed.json
                  skan model decode mixed.json --window 0 --coarse high
                """)
    }
}

internal import SKANCommandStores
internal import SKANCore

extension HelpSection {
    /// The forms of stores' URLs, as each kind of store says its own.
    static var stores: HelpSection {
        HelpSection(
            title: "Stores", text: "STORE is one of",
            list: StoreKind.known.compactMap { kind in
                kind.help.map { HelpEntry(label: "\($0.form)", text: "\($0.text)") }
            } + [
                HelpEntry(
                    label: "env:NAME",
                    text: """
                        The URL that this environment variable holds. Others can read a password in a command line, \
                        but not there.
                        """)
            ])
    }

    /// What the argument of commands that read a model is.
    static var modelFile: HelpSection {
        HelpSection(
            title: "File",
            text: "FILE is a conversion model; - is standard input. share/skan/models has ready ones.")
    }
}

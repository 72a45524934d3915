import SKANCommandStores
import SKANCore

extension HelpSection {
    /// Lists the forms of stores' URLs, as each kind of store describes its own.
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

    static var modelFile: HelpSection {
        HelpSection(
            title: "File",
            text: "FILE is a conversion model; - is standard input. share/skan/models has ready ones.")
    }
}

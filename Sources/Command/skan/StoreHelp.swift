internal import SKANCore

extension HelpSection {
    /// The forms of stores' URLs.
    static var stores: HelpSection {
        HelpSection(
            title: "Stores", text: "STORE is one of",
            list: [
                HelpEntry(label: "sqlite:FILE", text: "An SQLite file. SQLite's own :memory: and URIs are refused."),
                HelpEntry(
                    label: "postgresql://...",
                    text: "The table skan_records of a PostgreSQL database, by a URL of libpq's."),
                HelpEntry(
                    label: "redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE]",
                    text: """
                        A Redis or Valkey server. redis+unix://PATH is its Unix socket; \
                        redis+cluster://HOST[:PORT],HOST[:PORT]... a cluster, by any of its nodes. rediss:// and \
                        rediss+cluster:// use TLS; ?cacert=, cert=, key= and sni= at the end of the URL are as the \
                        options of redis-cli.
                        """),
                HelpEntry(
                    label: "env:NAME",
                    text: """
                        The URL that this environment variable holds. Others can read a password in a command line, \
                        but not there.
                        """),
            ])
    }

    /// What the argument of commands that read a model is.
    static var modelFile: HelpSection {
        HelpSection(
            title: "File",
            text: "FILE is a conversion model; - is standard input. share/skan/models has ready ones.")
    }
}

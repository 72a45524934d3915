import CSKANSystem
import SKANCommandOutput
import SKANCommandRecords
import SKANCommandStores
import SKANCore
import SKANSystem

extension Subcommand {
    static let `import` = Subcommand(
        "import", ["STORE", "FILE"],
        summary: "takes over installs from lines of JSON",
        """
        Takes over the installs of FILE, or of standard input if FILE is -, and makes STORE if it is not there. The \
        lines are those of skan export, or lines from elsewhere with "install_id" and "details" alone: the details \
        document of libskan or of the published snippet. If a line has both, "record" is taken.

        An install that has a record in STORE keeps it, so an import can be repeated. A line that is not JSON, is \
        longer than 256 KiB, or has a wrong record or wrong details is named and left out; the others are imported, \
        and the exit code is 1. Empty lines are ignored.
        """,
        [.stores], values: ProtocolVersion.skan4,
        options: OptionGroup(
            .choice(
                "protocol", [("3", .skan3), ("4", .skan4)], { $1(&$0) }, "The version of lines with details alone."))
    ) { given throws(CommandEnd) in
        let protocolVersion = given.values
        let arguments = given.arguments
        return try withInput(arguments[1]) { file, name throws(CommandEnd) in
            importInstalls(file, named: name, into: try OpenStore.open(arguments[0], for: .fills), protocolVersion)
        }
    }
}

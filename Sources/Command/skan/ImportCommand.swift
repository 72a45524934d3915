internal import CSKANSystem
internal import SKANCommandOutput
internal import SKANCommandRecords
internal import SKANCommandStores
internal import SKANCore
internal import SKANSystem

extension Subcommand {
    static let `import` = Subcommand(
        "import", arguments: "STORE FILE [--protocol 3|4]",
        summary: "takes over installs from lines of JSON",
        help: """
            Takes over the installs of FILE, or of standard input where FILE is -: lines of
            skan export, or lines from elsewhere with "install_id" and "details" alone, the
            details document of libskan or of the published snippet. Where a line has both,
            "record" is taken.
            An install that has a record in STORE keeps it: running an import twice is as
            good as once. A line that is no JSON, is longer than 256 KiB, or whose record or
            details are wrong is named and left out, the others go on, and the exit code is
            1. Empty lines mean nothing.
              --protocol 3|4  of lines with details alone; 4 where it is not given

            \(storeHelp)
            """,
        options: [.value("protocol")]
    ) { line throws(CommandEnd) in
        var protocolVersion = ProtocolVersion.skan4
        while let option = try line.nextOption() {
            protocolVersion = try line.number(option.name, option.value, 3...4) == 3 ? .skan3 : .skan4
        }
        let arguments = try line.arguments(2)
        return try withInput(arguments[1]) { file, name throws(CommandEnd) in
            importInstalls(file, named: name, into: try OpenStore.open(arguments[0], for: .fills), protocolVersion)
        }
    }
}

package import SKANCommandOutput
import SKANCommandStores
package import SKANCore
import SKANPostbackReceiving
import SKANSystem

extension Serving {
    /// Reads everything that `serve` would read and reports every problem after what is known to be fine. It does not
    /// listen, write or call anyone.
    @export(interface)
    package func check(_ known: ConfigurationProblems) -> ExitCode {
        var problems = known
        let read = ServerConfiguration.read(
            sources, postbacks.scope, RefusedBudget(bytes: postbacks.refusedBytes), &problems)
        checkAddress(http.address, "--listen", &problems)
        if let admin { checkAddress(admin.address, "--admin", &problems) }
        let counts = check(storeURL, keeping: Serving.countsLabel, &problems)
        let postbacks = check(postbacks.store, keeping: Serving.postbacksLabel, &problems)
        if let read, problems.list.isEmpty {
            let names = read.parts.map { $0.name }
            for name in names { StandardOutput.line("\(name): fine") }
            StandardOutput.line(counts ?? "\(Serving.countsLabel) in memory: fine")
            if let postbacks { StandardOutput.line(postbacks) }
            if let notice = undecodedNotice(read) { StandardOutput.line("skan: \(notice)") }
            StandardOutput.line("skan: the configuration is fine")
        }
        return problems.say()
    }

    /// Opens a store and returns the line that reports it; nil if there is none, or it has a problem.
    private func check(
        _ url: CText?, keeping what: StaticString, _ problems: inout ConfigurationProblems
    ) -> Message? {
        guard let url else { return nil }
        let checked = problems.noting { () throws(CommandEnd) in try OpenStore.check(url) }
        guard let checked else { return nil }
        let end: StaticString = checked.isThere ? "fine" : "fine, to be made at the start"
        return "\(what) in \(checked.name): \(end)"
    }

    private func checkAddress(
        _ address: Message, _ option: Message, _ problems: inout ConfigurationProblems
    ) {
        guard address.utf8.withUnsafeBytes({ ClientAddress($0) }) == nil else { return }
        problems.add(.usage(what: option, why: "expected a numeric IPv4 or IPv6 address, got \"\(address)\""))
    }
}

extension Serving {
    /// The notice that `serve` and `--check` show if postbacks are received but none would be decoded.
    func undecodedNotice(_ configuration: ServerConfiguration) -> Message? {
        guard postbacks.store != nil, !configuration.decodesPostbacks else { return nil }
        return SKANCommandServer.undecodedNotice
    }
}

/// The notice that postbacks are received, but no model decodes those of installs.
package var undecodedNotice: Message {
    """
    postbacks are kept undecoded: give --postback-model FROM=FILE for each model there was, or one --model; \
    skan report --model decodes them later
    """
}

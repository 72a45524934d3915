package import SKANCommandOutput
import SKANCommandStores
package import SKANCore
import SKANPostbackReceiving
import SKANSystem

extension Serving {
    /// Reads everything that `serve` would read. Reports every problem, or each part as fine if there is none. Does not
    /// listen, write or call anyone.
    @export(interface)
    package func check(_ known: ConfigurationProblems) -> ExitCode {
        var problems = known
        let read = ServerConfiguration.read(
            sources, postbacks.scope, RefusedBudget(bytes: postbacks.refusedBytes), &problems)
        checkPlaces(http, "--listen", &problems)
        if let admin { checkPlaces(admin, "--admin", &problems) }
        let counts = check(storeURL, keeping: Serving.countsLabel, &problems)
        let postbacks = check(postbacks.store, keeping: Serving.postbacksLabel, &problems)
        let older = read.flatMap { read in
            problems.noting { () throws(CommandEnd) in try olderModels(than: read.apps.served) }
        }
        if let read, problems.list.isEmpty {
            let names = read.parts.map { $0.name }
            for name in names { StandardOutput.line("\(name): fine") }
            StandardOutput.line(counts ?? "\(Serving.countsLabel) in memory: fine")
            if let postbacks { StandardOutput.line(postbacks) }
            if let notice = undecodedNotice(read) { StandardOutput.line("skan: \(notice)") }
            for line in older ?? [] { StandardOutput.line("skan: \(line)") }
            StandardOutput.line("skan: the configuration is fine")
        }
        return problems.say()
    }

    /// Returns the line that reports the store as fine; nil if there is no store or it has a problem.
    private func check(
        _ url: CText?, keeping what: StaticString, _ problems: inout ConfigurationProblems
    ) -> Message? {
        guard let url else { return nil }
        let checked = problems.noting { () throws(CommandEnd) in try OpenStore.check(url) }
        guard let checked else { return nil }
        let end: StaticString = checked.isThere ? "fine" : "fine, to be made at the start"
        return "\(what) in \(checked.name): \(end)"
    }

    /// Returns lines about the store's users who began with models other than `served`.
    private func olderModels(than served: [ServedModel]) throws(CommandEnd) -> [Message] {
        guard let storeURL, try OpenStore.check(storeURL).isThere else { return [] }
        let store = try OpenStore.open(storeURL, for: .reads)
        let check = try OlderModelsCheck(store, now: clock.microseconds / 1_000_000)
        return try check.lines(served, KeptModels(store))
    }

    private func checkPlaces(
        _ settings: HTTPServerSettings, _ option: Message, _ problems: inout ConfigurationProblems
    ) {
        for case .tcp(let address, _) in settings.places
        where address.utf8.withUnsafeBytes({ ClientAddress($0) }) == nil {
            problems.add(.usage(what: option, why: "expected a numeric IPv4 or IPv6 address, got \"\(address)\""))
        }
    }
}

extension Serving {
    /// nil unless postbacks are received and none would be decoded.
    func undecodedNotice(_ configuration: ServerConfiguration) -> Message? {
        guard postbacks.store != nil, !configuration.decodesPostbacks else { return nil }
        return SKANCommandServer.undecodedNotice
    }
}

/// The notice shown when postbacks are received but no model decodes the postbacks of installs.
package var undecodedNotice: Message {
    """
    postbacks are kept undecoded: give --postback-model FROM=FILE for each model there was, or one --model; \
    skan report --model decodes them later
    """
}

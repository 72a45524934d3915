package import SKANCommandOutput
internal import SKANCommandStores
internal import SKANCore
internal import SKANPostbackReceiving
internal import SKANSystem

extension Serving {
    /// Reads all that `serve` would, and says what is wrong with any of it, after what is known to be. It listens
    /// nowhere, writes nothing and calls nobody.
    package func check(_ known: ConfigurationProblems) -> ExitCode {
        var problems = known
        let read = ServerConfiguration.read(
            sources, postbacks.scope, RefusedBudget(postbacks.refused), &problems)
        checkAddress(http.address, "--listen", &problems)
        if let admin { checkAddress(admin.address, "--admin", &problems) }
        for url in [storeURL, postbacks.store] {
            guard let url else { continue }
            _ = problems.noting { () throws(CommandEnd) in try OpenStore.check(url) }
        }
        if let read, problems.list.isEmpty {
            let names = read.parts.map { $0.name }
            for name in names { StandardOutput.line("\(name): fine") }
            StandardOutput.line("skan: the configuration is fine")
        }
        return problems.say()
    }

    private func checkAddress(
        _ address: Message, _ option: Message, _ problems: inout ConfigurationProblems
    ) {
        guard address.utf8.withUnsafeBytes({ ClientAddress($0) }) == nil else { return }
        problems.add(.usage(what: option, why: "expected a numeric IPv4 or IPv6 address, got \"\(address)\""))
    }
}

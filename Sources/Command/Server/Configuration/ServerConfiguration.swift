internal import SKANCommandModels
internal import SKANCommandOutbox
package import SKANCommandOutput
package import SKANCore
package import SKANPostbackReceiving
internal import SKANPostbackVerification
internal import SKANSystem

/// What a server reads in files: keys, models, networks and their partners. It does not change; what is read later
/// takes its place.
final class ServerConfiguration: Sendable {
    let keys: EndpointKeys
    let apps: ServedApps
    let networks: Networks?
    /// The networks that read models.
    let readers: SchemaReaders
    /// What they read.
    let schemas = SchemaDocuments()
    let receiver: PostbackReceiver<ConversionModel>
    /// Those that decode postbacks, for partners.
    let partnerModels: PartnerModels
    let parts: [ConfigurationPart]
    /// Whether postbacks of installs are decoded when they are received.
    let decodesPostbacks: Bool

    fileprivate init(_ reading: ConfigurationReading, _ receiver: PostbackReceiver<ConversionModel>) {
        keys = reading.keys
        apps = reading.apps
        networks = reading.networks
        readers = reading.readers
        self.receiver = receiver
        partnerModels = PartnerModels(
            installs: reading.installs.list.map { $0.model },
            reengagements: reading.reengagements.list.map { $0.model })
        parts = reading.parts
        decodesPostbacks = !reading.installs.list.isEmpty
    }

    /// Reads every source, whatever is wrong with others; nil where anything is.
    static func read(
        _ sources: [ConfigurationSource], _ scope: PostbackScope, _ budget: RefusedBudget,
        _ problems: inout ConfigurationProblems
    ) -> ServerConfiguration? {
        let known = problems.list.count
        var reading = ConfigurationReading()
        for source in sources {
            if source.isNetworks {
                reading.readNetworks(CText(source.text), &problems)
            } else {
                _ = problems.noting { () throws(CommandEnd) in try reading.read(source) }
            }
        }
        _ = problems.noting { () throws(CommandEnd) in try reading.readers.check() }
        let receiver = problems.noting { () throws(CommandEnd) in try reading.receiver(scope, budget) }
        guard let receiver, problems.list.count == known else { return nil }
        return ServerConfiguration(reading, receiver)
    }
}

/// What was read so far.
private struct ConfigurationReading {
    var keys = EndpointKeys()
    let apps = ServedApps()
    var networks: Networks?
    var readers = SchemaReaders()
    var installs = DatedModels()
    /// Those for every app, which decode postbacks where no other model is given for them.
    var served: [ConversionModel] = []
    var reengagements = DatedModels()
    var postbackKeys: PostbackKeySet?
    var parts: [ConfigurationPart] = []

    mutating func read(_ source: ConfigurationSource) throws(CommandEnd) {
        let path = CText(source.text)
        switch source.use {
        case .key(let app):
            let token: NetworkToken
            do throws(Failure) { token = try NetworkToken.read(source.text) } catch {
                throw .complaint("--key", error.message)
            }
            keys.add(token, for: app)
            note(source, token.digest)
        case .schemaKey(let network):
            let token: NetworkToken
            do throws(Failure) { token = try NetworkToken.read(source.text) } catch {
                throw .complaint("--schema-key", error.message)
            }
            try readers.add(token, for: network)
            note(source, token.digest)
        case .schemaMap(let network):
            let map: EventMap
            do throws(CommandEnd) { map = try EventMap.read(path, forServer: true) } catch {
                throw error.within("--schema-map")
            }
            try readers.add(map, for: network)
            note(source, digest(of: map))
        case .model(let app):
            let model = try apps.addModel(path, for: app)
            if app == nil { served.append(model) }
            note(source, model.version)
        case .installModel(let from):
            note(source, try installs.add(path, from: from, forServer: true).version)
        case .reengagementModel(let from):
            note(source, try reengagements.add(path, from: from, forServer: true).version)
        case .networks:
            break  // `readNetworks`: much may be wrong with them.
        case .postbackKeys:
            let (read, digest) = try PostbackKeySet.read(path)
            postbackKeys = read
            note(source, digest)
        }
    }

    mutating func readNetworks(_ file: CText, _ problems: inout ConfigurationProblems) {
        var found: [Message] = []
        networks = Networks.read(file, &found)
        for problem in found { problems.add(.complaint("--networks", problem)) }
        if let networks { parts.add(networks) }
    }

    private mutating func note(_ source: ConfigurationSource, _ digest: SHA256) {
        parts.append(ConfigurationPart(name: source.option, digest: digest))
    }

    /// The served model decodes postbacks, too, where it is the only one of SKAN 4, or of SKAN 3 alone.
    private mutating func decodeByServedModel() {
        guard installs.list.isEmpty else { return }
        let ofSKAN4 = served.filter { $0.protocolVersion == .skan4 }
        let candidates = ofSKAN4.isEmpty ? served : ofSKAN4
        if candidates.count == 1 { installs.add(candidates[0], from: DatedModels.always) }
    }

    mutating func receiver(
        _ scope: PostbackScope, _ budget: RefusedBudget
    ) throws(CommandEnd) -> PostbackReceiver<ConversionModel> {
        decodeByServedModel()
        do throws(Failure) {
            try installs.sort("model")
            try reengagements.sort("reengagement_model")
            let keys: PostbackKeySet
            if let postbackKeys { keys = postbackKeys } else { keys = try .apple() }
            return PostbackReceiver(
                keys: keys, scope: scope, installs: PostbackModels(installs.list),
                reengagements: PostbackModels(reengagements.list), refused: budget)
        } catch {
            throw .complaint("--postbacks", error.message)
        }
    }
}

extension PostbackOptions {
    /// What receives postbacks that do not come over HTTP: by these models and keys.
    @export(interface)
    package func receiver(of sources: [ConfigurationSource]) throws(CommandEnd) -> PostbackReceiver<ConversionModel> {
        var problems = ConfigurationProblems()
        let read = ServerConfiguration.read(sources, scope, RefusedBudget(bytes: refusedBytes), &problems)
        try problems.throwFirst()
        guard let read else { throw .done(.found) }
        return read.receiver
    }
}

/// The configuration that a server goes by now. A request takes it once, at its beginning. Any thread.
final class ServedConfiguration: @unchecked Sendable {
    private var configuration: ServerConfiguration
    private let lock = Lock()

    init(_ configuration: ServerConfiguration) { self.configuration = configuration }

    var current: ServerConfiguration { lock.hold { configuration } }

    func replace(_ next: ServerConfiguration) {
        // The old one ends where the last request does that has it, and not while the lock is held.
        let old = lock.hold {
            defer { configuration = next }
            return configuration
        }
        withExtendedLifetime(old) {}
    }
}

import SKANCommandModels
package import SKANCommandOutbox
package import SKANCommandOutput
import SKANCommandRows
package import SKANCore
package import SKANPostbackReceiving
import SKANPostbackVerification
import SKANSystem

/// The configuration that a server reads from files: keys, models, networks and their partners. Immutable; replaced as
/// a whole when it is read again.
package final class ServerConfiguration: Sendable {
    let keys: EndpointKeys
    let apps: ServedApps
    package let networks: Networks?
    let readers: SchemaReaders
    let schemas = SchemaDocuments()
    package let receiver: PostbackReceiver<ConversionModel>
    /// The option that gave a model without naming apps; such a model may decode postbacks of one app only. nil if
    /// there is none.
    package let unsaidModel: Message?
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
        partnerModels = PartnerModels(reading.installs.given + reading.reengagements.given)
        unsaidModel = reading.installs.unsaid ?? reading.reengagements.unsaid
        parts = reading.parts
        decodesPostbacks = !reading.installs.isEmpty
    }

    /// Reads every source, even after problems with others. Returns nil if there was any problem.
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

private struct ConfigurationReading {
    var keys = EndpointKeys()
    let apps = ServedApps()
    var networks: Networks?
    var readers = SchemaReaders()
    var installs = DatedAppModels()
    /// The models served to every app without a model of its own; one of them may also decode postbacks.
    var served: [(model: ConversionModel, apps: ModelApps, option: Message)] = []
    var reengagements = DatedAppModels()
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
        case .model(let app, let decoded):
            let model = try apps.addModel(path, for: app)
            if app == nil { served.append((model, decoded, source.option)) }
            note(source, model.version)
        case .installModel(let apps, let from):
            note(source, try installs.read(path, of: apps, from: from, source.option).version)
        case .reengagementModel(let apps, let from):
            note(source, try reengagements.read(path, of: apps, from: from, source.option).version)
        case .networks:
            break  // Read by `readNetworks`, which reports all their problems.
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

    /// Uses the model served to every app to decode postbacks too, if no other model is given for that. The model must
    /// be the only one of SKAN 4, or the only one of SKAN 3 if there are none of SKAN 4.
    private mutating func decodeByServedModel() {
        guard installs.isEmpty else { return }
        let ofSKAN4 = served.filter { $0.model.protocolVersion == .skan4 }
        let candidates = ofSKAN4.isEmpty ? served : ofSKAN4
        guard candidates.count == 1 else { return }
        let (model, apps, option) = candidates[0]
        installs.add(model, of: apps, from: DatedModels.always, option)
    }

    mutating func receiver(
        _ scope: PostbackScope, _ budget: RefusedBudget
    ) throws(CommandEnd) -> PostbackReceiver<ConversionModel> {
        decodeByServedModel()
        try installs.check(scope.apps)
        try reengagements.check(scope.apps)
        do throws(Failure) {
            let keys: PostbackKeySet
            if let postbackKeys { keys = postbackKeys } else { keys = try .apple() }
            return PostbackReceiver(
                keys: keys, scope: scope, installs: try installs.byApp("model"),
                reengagements: try reengagements.byApp("reengagement_model"), refused: budget)
        } catch {
            throw .complaint("--postbacks", error.message)
        }
    }
}

extension PostbackOptions {
    /// Reads the configuration for postbacks that do not arrive over HTTP, with models and keys from these sources.
    @export(interface)
    package func configuration(of sources: [ConfigurationSource]) throws(CommandEnd) -> ServerConfiguration {
        var problems = ConfigurationProblems()
        let read = ServerConfiguration.read(sources, scope, RefusedBudget(bytes: refusedBytes), &problems)
        try problems.throwFirst()
        guard let read else { throw .done(.found) }
        return read
    }
}

/// The current configuration of a server. A request reads it once, when it starts. Thread-safe.
final class ServedConfiguration: @unchecked Sendable {
    private var configuration: ServerConfiguration
    private let lock = Lock()

    init(_ configuration: ServerConfiguration) { self.configuration = configuration }

    var current: ServerConfiguration { lock.hold { configuration } }

    func replace(_ next: ServerConfiguration) {
        // The old configuration is released here or when the last request that uses it ends, not while the lock is
        // held.
        let old = lock.hold {
            defer { configuration = next }
            return configuration
        }
        withExtendedLifetime(old) {}
    }
}

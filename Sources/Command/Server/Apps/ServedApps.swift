import SKANCommandModels
import SKANCommandOutput
import SKANCore
import SKANSystem

/// The served apps, with the conversion models and the engines of each. Nothing may be added after `open`.
final class ServedApps: @unchecked Sendable {
    private var apps: [ServedApp] = []
    /// The models for every app without a model of its own.
    private let others = ServedApp(nil)
    /// The engines for apps without a model; nil before `open`. The one for SKAN 3 is the test endpoint if no app has a
    /// model of SKAN 3.
    private var none: (skan3: EndpointEngine, skan4: EndpointEngine)?

    /// The models of all apps.
    private(set) var served: [ServedModel] = []

    /// The maximum number of models of one protocol for an app.
    private static var greatestCount: Int { 64 }

    /// Reads a conversion model for an app, or for every app without one of its own if `name` is nil. The first model
    /// of an app and protocol is for new users.
    func addModel(_ file: CText, for name: [UInt8]?) throws(CommandEnd) -> ConversionModel {
        let read: ModelFile
        do throws(CommandEnd) { read = try ModelFile.read(file, forServer: true) } catch {
            throw error.within("--model")
        }
        let model = read.model
        let app = find(name) ?? add(name)
        guard app.models(of: model.protocolVersion).count < ServedApps.greatestCount else {
            let limit = ServedApps.greatestCount
            throw .complaint("--model", "\(file.message): expected at most \(limit) models for an app")
        }
        app.add(model)
        served.append(ServedModel(model: model, document: read.document))
        return model
    }

    /// Makes the engines. Called after all models are added.
    func open(_ users: EndpointUsers) {
        for app in apps + [others] { app.open(users) }
        let isTest = !(apps + [others]).contains { $0.engine(.skan3) != nil }
        none = (EndpointEngine(.skan3, [], isTest: isTest, users), EndpointEngine(.skan4, [], users))
    }

    /// nil before `open`. `name` is nil if the request names no app.
    func engine(_ name: [UInt8]?, _ protocolVersion: ProtocolVersion) -> EndpointEngine? {
        let own = name.flatMap { find($0) }?.engine(protocolVersion)
        return own ?? others.engine(protocolVersion) ?? (protocolVersion == .skan3 ? none?.skan3 : none?.skan4)
    }

    /// Returns the first model for an app, of SKAN 4 if there is one, otherwise of SKAN 3. If the app has no model of
    /// its own, returns the first model for every app; nil if there is none.
    func firstModel(_ name: [UInt8]) -> ConversionModel? {
        for app in [find(name), others] {
            let first = app?.models(of: .skan4).first ?? app?.models(of: .skan3).first
            if let first { return first }
        }
        return nil
    }

    private func find(_ name: [UInt8]?) -> ServedApp? {
        guard let name else { return others }
        return apps.first { $0.name == name }
    }

    private func add(_ name: [UInt8]?) -> ServedApp {
        let added = ServedApp(name)
        apps.append(added)
        return added
    }
}

private final class ServedApp {
    let name: [UInt8]?
    private var models: [ConversionModel] = []
    private var engines: [(protocolVersion: ProtocolVersion, engine: EndpointEngine)] = []

    init(_ name: [UInt8]?) { self.name = name }

    func models(of protocolVersion: ProtocolVersion) -> [ConversionModel] {
        models.filter { $0.protocolVersion == protocolVersion }
    }

    func add(_ model: ConversionModel) { models.append(model) }

    func open(_ users: EndpointUsers) {
        for each: ProtocolVersion in [.skan3, .skan4] {
            let models = models(of: each)
            if !models.isEmpty { engines.append((each, EndpointEngine(each, models, users))) }
        }
    }

    func engine(_ protocolVersion: ProtocolVersion) -> EndpointEngine? {
        engines.first { $0.protocolVersion == protocolVersion }?.engine
    }
}

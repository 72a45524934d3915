import SKANCommandOutput
import SKANCommandStores
import SKANCore
import SKANSystem

/// Rules, "Kept models": the models that users began with, which are kept after new users get other models. They are
/// saved in the users' store, where other servers and later processes find them; without a store, they are in memory.
/// Thread-safe.
final class KeptModels: @unchecked Sendable {
    /// nil if users are in memory.
    private let store: OpenStore?
    private let lock = Lock()
    /// All models that this process has served, or found in the store.
    private var known: [ConversionModel] = []
    /// The known models that are not in the configuration.
    private var others: [ConversionModel] = []

    init(_ store: OpenStore?) { self.store = store }

    /// Returns known models that new users no longer get, but that users who began with them still have.
    func older(_ protocolVersion: ProtocolVersion) -> [ConversionModel] {
        let others = lock.hold { self.others }
        return others.isEmpty ? [] : others.filter { $0.protocolVersion == protocolVersion }
    }

    /// Keeps the models of a configuration before it is served. Throws if the store cannot save them; the models must
    /// then not be served.
    func keep(_ served: [ServedModel]) throws(Failure) {
        if let store {
            for each in served { try store.keep(each) }
        }
        lock.hold {
            for each in served { add(each.model) }
            others = known.filter { model in !served.contains { $0.model.version == model.version } }
        }
    }

    /// nil if the model was never kept. Throws if the store cannot be read.
    func find(_ version: SHA256) throws(Failure) -> ConversionModel? {
        if let found = lock.hold({ known.first { $0.version == version } }) { return found }
        guard let store, let found = try store.keptModel(version) else { return nil }
        lock.hold {
            if add(found) { others.append(found) }
        }
        return found
    }

    /// Returns false if the model is known already. The lock must be held.
    @discardableResult
    private func add(_ model: ConversionModel) -> Bool {
        if known.contains(where: { $0.version == model.version }) { return false }
        known.append(model)
        return true
    }
}

extension OpenStore {
    /// A save is tried again if another process changed the record, or if the outcome is unknown.
    private static var attempts: Int { 5 }

    fileprivate func keep(_ served: ServedModel) throws(Failure) {
        let key = StoredModel.key(of: served.model.version)
        let record = StoredModel.record(of: served.document)
        for _ in 0..<OpenStore.attempts {
            let there = load(key)
            if there.status == .store { break }
            if there.status == .ok, there.bytes == record { return }
            let saved = key.withBytes { key in
                record.withBytes { save(key, $0, expected: there.status == .ok ? there.version : 0) }
            }
            if saved.status == .ok { return }
        }
        throw Failure(.store, "the model \(Message(utf8: served.model.id)) could not be kept in \(name)")
    }

    fileprivate func keptModel(_ version: SHA256) throws(Failure) -> ConversionModel? {
        let key = StoredModel.key(of: version)
        let there = load(key)
        if there.status == .notFound { return nil }
        guard there.status == .ok else { throw Failure(.store, "\(Message(utf8: key)) could not be read") }
        return try there.bytes.withBytes { record throws(Failure) in
            try key.withBytes { key throws(Failure) in try StoredModel(record, under: key).model }
        }
    }

    private func load(_ key: [UInt8]) -> LoadedRecord { key.withBytes { load($0) } }
}

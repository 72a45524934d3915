internal import CSKANSupport
public import SKAN
internal import SKANCore
internal import SKANEngine
internal import SKANPostbackReceiving
internal import SKANPostbackVerification

/// Receives Apple's postbacks: verifies each, counts it once, however often and wherever it arrives, and stores it. Any
/// number of receivers and processes may share a store, which may also hold installs.
///
///     let receiver = try PostbackReceiver(store: store, models: [(from: 0, model: model)], appIDs: [525_463_029])
///     let receipt = try await receiver.receive(body)   // for each POST of Apple's; answer HTTP 200, 503 if it throws
///
/// Apple's signature proves that a postback is Apple's, not that it is yours: name your apps and the ad networks that
/// you work with. Conversion values and the country code are not signed. Rules, "Receiving postbacks".
public final class PostbackReceiver: Sendable {
    /// A conversion model, and the time in Unix seconds from which it was in use for new installs, or for new
    /// re-engagements. It applies until the time of the next model.
    public typealias Model = (from: Int64, model: SKAN.ConversionModel)

    private let receiver: SKANPostbackReceiving.PostbackReceiver<SKANCore.ConversionModel>
    private let store: any Store
    private let clock: Engine.Clock?

    /// Creates a receiver.
    ///
    /// - Parameters:
    ///   - store: The store that holds the postbacks; not a `MemoryStore`, which holds only installs.
    ///   - keys: The keys to verify postbacks with; Apple's by default.
    ///   - models: All models that were ever used for installs, by ascending time; at most 1024.
    ///   - reengagementModels: All models that were ever used for re-engagements, by ascending time; at most 1024.
    ///   - appIDs: The App Store ids, above 0, of the apps whose postbacks are counted; at most 1024. Empty = any app.
    ///   - adNetworks: The ad networks whose postbacks are counted, 1...128 bytes each; at most 1024. Empty = any
    ///     network.
    ///   - refusedBytes: The maximum number of bytes of refused postbacks of each kind that are stored, so that
    ///     untrusted senders cannot fill the store. Beyond that, postbacks are refused and not stored.
    ///   - clock: The clock; nil = the system's clock.
    /// - Throws: `SKANError.Code.invalidArgument`, which names the argument at fault.
    public init(
        store: any Store, keys: PostbackKeys = .apple, models: [Model] = [], reengagementModels: [Model] = [],
        appIDs: [Int64] = [], adNetworks: [String] = [], refusedBytes: UInt64 = 536_870_912,
        clock: Engine.Clock? = nil
    ) throws {
        if store is MemoryStore {
            throw SKANError(.invalidArgument, "store: expected one that keeps any record, a MemoryStore keeps installs")
        }
        let scope = PostbackScope(apps: try checked(appIDs), adNetworks: try checked(adNetworks))
        let keySet = try translated { () throws(Failure) in try keys.set() }
        receiver = SKANPostbackReceiving.PostbackReceiver(
            keys: keySet, scope: scope, installs: try checked(models, "models"),
            reengagements: try checked(reengagementModels, "reengagementModels"), refusedBytes: refusedBytes)
        self.store = store
        self.clock = clock
    }

    /// Verifies, counts, decodes and stores a postback. When this returns, the postback is in the store if it counts.
    /// After an error nothing is lost, because Apple sends the postback again. Reads the clock for the time of arrival.
    /// Rules, "Receiving postbacks", "Time of install", "Duplicate postbacks".
    ///
    /// - Parameters:
    ///   - body: The body of the HTTP request, unchanged; at most 30 720 bytes.
    ///   - network: The ad network that the sender is known to be; postbacks of other networks are then not counted.
    ///     nil = the sender is not known.
    /// - Throws: `SKANError.Code.limitExceeded` for a longer body, `SKANError.Code.invalidArgument` for an empty name
    ///   or one of more than 128 bytes, and the code of a store or clock that failed; `CancellationError` if the store
    ///   threw it before anything was stored.
    public nonisolated(nonsending) func receive(
        _ body: some Collection<UInt8>, network: String? = nil
    ) async throws -> PostbackReceipt {
        let bytes = [UInt8](body)
        guard bytes.count <= PostbackRecord.bodyBytes else {
            throw SKANError(.limitExceeded, "body: \(bytes.count) bytes, the limit is \(PostbackRecord.bodyBytes)")
        }
        let sender = try network.map { try checkedName($0, "network") } ?? []
        let now = try now()
        let reception = try translated { () throws(Failure) in
            let verified = try bytes.withUnsafeBufferPointer { body throws(Failure) in
                try receiver.verified(UnsafeRawBufferPointer(body))
            }
            return receiver.arrived(verified, from: sender, at: now, try .draw())
        }
        try await store(reception)
        return PostbackReceipt(reception)
    }

    /// Carries out the steps of a reception with the store.
    private nonisolated(nonsending) func store(_ reception: Reception) async throws {
        var thrown: (any Error)?
        reception.begin()
        steps: while true {
            let key = string(reception.key())
            switch reception.next() {
            case .load(let pause):
                do {
                    if pause > 0 { try await Task.sleep(nanoseconds: UInt64(pause) * 1000) }
                    let record = try await store.load(key)
                    if let record, record.version == 0 { throw StoreFailure("a record with version 0") }
                    guard let record else {
                        reception.loaded(nil, version: 0)
                        continue
                    }
                    record.bytes.withUnsafeBytes { reception.loaded($0, version: record.version) }
                } catch {
                    thrown = error
                    reception.loadFailed()
                }
            case .save:
                let record = reception.recordBytes().array
                do {
                    switch try await store.save(key, record, expected: 0) {
                    case .saved(let version): reception.saved(version == 0 ? .storeUnknown : .ok)
                    case .conflict: reception.saved(.storeConflict)
                    }
                } catch {
                    thrown = error
                    reception.saved(error is StoreFailure ? .store : .storeUnknown)
                }
            case .remove, .done: break steps
            }
        }
        guard let failure = reception.failure else { return }
        if failure.status == .store, thrown is CancellationError { throw CancellationError() }
        throw SKANError(
            SKANError.Code(rawValue: failure.status.rawValue), String(decoding: failure.message.utf8, as: UTF8.self),
            underlying: thrown)
    }

    /// Microseconds since 1970.
    private func now() throws -> Int64 {
        let now: Int64
        do {
            now = try clock?() ?? support_now()
        } catch {
            throw SKANError(.clock, "clock: threw \(type(of: error))", underlying: error)
        }
        guard now >= 0 else { throw SKANError(.clock, "clock: expected microseconds since 1970, got \(now)") }
        return now
    }
}

private func checked(_ ids: [Int64]) throws -> [Int64] {
    guard ids.count <= PostbackScope.most else {
        throw SKANError(.invalidArgument, "appIDs: expected at most \(PostbackScope.most), got \(ids.count)")
    }
    for id in ids where id <= 0 { throw SKANError(.invalidArgument, "appIDs: expected numbers above 0, got \(id)") }
    return ids
}

/// Checks the names of ad networks and returns them, each ended by a NUL.
private func checked(_ names: [String]) throws -> [UInt8] {
    guard names.count <= PostbackScope.most else {
        throw SKANError(.invalidArgument, "adNetworks: expected at most \(PostbackScope.most), got \(names.count)")
    }
    return try names.flatMap { try checkedName($0, "adNetworks") + [0] }
}

private func checkedName(_ name: String, _ what: String) throws -> [UInt8] {
    let bytes = [UInt8](name.utf8)
    guard 1...128 ~= bytes.count, !bytes.contains(0) else {
        throw SKANError(.invalidArgument, "\(what): expected 1 to 128 bytes without NUL, got \(bytes.count) bytes")
    }
    return bytes
}

private func checked(
    _ models: [PostbackReceiver.Model], _ what: String
) throws -> PostbackModels<SKANCore.ConversionModel> {
    guard models.count <= Limits.models else {
        throw SKANError(.invalidArgument, "\(what): expected at most \(Limits.models), got \(models.count)")
    }
    for (earlier, later) in zip(models, models.dropFirst()) where later.from <= earlier.from {
        throw SKANError(.invalidArgument, "\(what): expected ascending times, got \(later.from) after \(earlier.from)")
    }
    return PostbackModels(models.map { (from: $0.from, model: $0.model.core) })
}

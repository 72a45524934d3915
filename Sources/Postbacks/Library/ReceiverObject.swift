import CSKAN
import CSKANSupport
import CSKANSystem
import SKANCore
import SKANEngine
import SKANPostbackReceiving
import SKANStorePool
import SKANSystem

/// The object that a `skan_postback_receiver *` points to. It performs the operations that a reception requests, with
/// the host's hooks.
final class ReceiverObject: BlockingStore {
    private let receiver: PostbackReceiver<NativeModel>
    private let hooks: ReceiverHooks
    /// nil if the store can only save records one by one.
    private let groups: GroupSaver<skan_save_item>?

    /// Takes ownership of the hooks.
    init(_ receiver: PostbackReceiver<NativeModel>, _ hooks: ReceiverHooks) {
        self.receiver = receiver
        self.hooks = hooks
        let store = hooks.store
        groups = store.save_many.map { saveMany in
            GroupSaver(upTo: Limits.batchItems) {
                strcmp($0.key, $1.key) == 0
            } save: { items in
                saveMany(store.context, items.baseAddress, items.count)
            }
        }
    }

    deinit { hooks.finalize() }

    static func at(_ pointer: OpaquePointer?) -> ReceiverObject? {
        guard let pointer else { return nil }
        return Unmanaged<ReceiverObject>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
    }

    /// The current time is the time of arrival.
    @_optimize(size)
    func receive(_ body: UnsafeRawBufferPointer, from network: [UInt8]) throws(Failure) -> Reception {
        let now = try now()
        let reception = receiver.arrived(try receiver.verified(body), from: network, at: now, try .draw())
        reception.begin()
        drive(reception)
        if let failure = reception.failure { throw failure }
        return reception
    }

    /// Microseconds since 1970.
    private func now() throws(Failure) -> Int64 {
        let now = hooks.clock.now.map { $0(hooks.clock.context) } ?? support_now()
        guard now >= 0 else { throw Failure(.clock, "clock: expected microseconds since 1970, got \(now)") }
        return now
    }

    // MARK: The hooks

    func next(_ reception: Reception) -> StoreStep { reception.next() }

    func save(_ reception: Reception) {
        let key = CText(reception.key())
        reception.saved(reception.recordBytes().withBytes { save(key, $0) })
    }

    /// Never called, because a reception removes nothing.
    func remove(_ reception: Reception) {}

    /// Saves a record under a key that must be new. Interprets the hook's result as an engine does.
    private func save(_ key: CText, _ record: UnsafeRawBufferPointer) -> Status {
        key.characters.withUnsafeBufferPointer { key in
            var item = skan_save_item()
            item.key = key.baseAddress
            item.data = record.baseAddress
            item.length = record.count
            item.status = Status.storeUnknown.rawValue
            if let groups {
                item = groups.save(item)
            } else if let save = hooks.store.save {
                item.status = save(hooks.store.context, item.key, item.data, item.length, 0, &item.new_version)
            }
            switch Status(rawValue: item.status) {
            case .ok: return item.new_version != 0 ? .ok : .storeUnknown
            case .storeConflict: return .storeConflict
            case .store: return .store
            default: return .storeUnknown
            }
        }
    }

    @inline(never)
    func load(_ reception: Reception) {
        let buffer = skan_buffer_create()
        defer { skan_buffer_destroy(buffer) }
        var version: UInt64 = 0
        let key = CText(reception.key())
        let status = key.characters.withUnsafeBufferPointer { key in
            hooks.store.load?(hooks.store.context, key.baseAddress, buffer, &version) ?? Status.store.rawValue
        }
        switch Status(rawValue: status) {
        case .ok where version != 0:
            let record = Bytes(start: skan_buffer_data(buffer), count: skan_buffer_size(buffer))
            reception.loaded(record, version: version)
        case .notFound:
            reception.loaded(nil, version: 0)
        default:
            reception.loadFailed()
        }
    }
}

extension CText {
    fileprivate init(_ text: borrowing ByteBuffer) { self = text.withBytes { CText($0) } }
}

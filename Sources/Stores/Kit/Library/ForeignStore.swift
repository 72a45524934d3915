import CSKAN
import CSKANSystem
import SKANCore
import SKANStoreLaws
import SKANSystem

/// A handle of a store with C hooks.
final class ForeignStore: StoreUnderTest, @unchecked Sendable {
    private var hooks: skan_store
    private let buffers: ForeignBuffers

    /// Takes ownership of the store, which must be closed even if it has a flaw.
    init(_ given: skan_store, _ buffers: ForeignBuffers) {
        hooks = given
        self.buffers = buffers
        if hasLegalSize { forgetWhatIsBehind() }
    }

    /// A description of what is wrong with the struct; nil if nothing is.
    var flaw: StaticString? {
        if !hasLegalSize { return "the size is neither sizeof(skan_store) nor that of one without optional hooks" }
        return hooks.load == nil || hooks.save == nil || hooks.remove == nil ? "a hook is NULL" : nil
    }

    /// Whether the struct has the size that this header or an older one gives it. In older headers, some or all of the
    /// optional hooks at the end are missing.
    private var hasLegalSize: Bool {
        let hook = MemoryLayout<UnsafeRawPointer>.size
        let (whole, optional) = (MemoryLayout<skan_store>.size, 5 * hook)
        return whole - optional...whole ~= hooks.size && hooks.size % hook == 0
    }

    private func forgetWhatIsBehind() {
        let size = hooks.size
        withUnsafeMutableBytes(of: &hooks) { bytes in
            for place in size..<bytes.count { bytes[place] = 0 }
        }
    }

    func close() {
        let (finalize, context) = (hooks.finalize, hooks.context)
        hooks = skan_store()
        finalize?(context)
    }

    // MARK: Calls

    var offers: OptionalCalls {
        var offers: OptionalCalls = []
        if hooks.load_many != nil { offers.insert(.loadMany) }
        if hooks.save_many != nil { offers.insert(.saveMany) }
        if hooks.list != nil { offers.insert(.list) }
        if hooks.list_with_prefix != nil { offers.insert(.listWithPrefix) }
        return offers
    }

    func load(_ keys: [UnsafePointer<CChar>], over held: Bytes?) -> [Loaded] {
        let lent = keys.map { _ in buffers.take(holding: held) }
        defer { for buffer in lent { buffers.takeBack(buffer) } }
        let answers = zip(keys, lent).map { key, buffer in
            var version: UInt64 = 0
            let status = hooks.load?(hooks.context, key, buffer.pointer, &version) ?? Status.store.rawValue
            return (status: Status(rawValue: status), version: version)
        }
        return zip(answers, lent).map { Loaded($0.status, version: $0.version, $1.bytes) }
    }

    func save(_ key: UnsafePointer<CChar>, _ record: Bytes, expected: UInt64) -> Written {
        guard let hook = hooks.save else { return Written(.store, version: 0) }
        var version: UInt64 = 0
        let status = hook(hooks.context, key, record.baseAddress, record.count, expected, &version)
        return Written(Status(rawValue: status), version: version)
    }

    func remove(_ key: UnsafePointer<CChar>, expected: UInt64) -> Status {
        guard let hook = hooks.remove else { return .store }
        return Status(rawValue: hook(hooks.context, key, expected))
    }

    /// Loads the keys with load_many. The statuses are preset, so that an item that the store ignores has a defined
    /// status.
    func loadMany(_ keys: [UnsafePointer<CChar>], over held: Bytes?) -> [Loaded] {
        let lent = keys.map { _ in buffers.take(holding: held) }
        defer { for buffer in lent { buffers.takeBack(buffer) } }
        var items = zip(keys, lent).map { key, buffer in
            skan_load_item(key: key, out: buffer.pointer, version: 0, status: Status.store.rawValue)
        }
        items.withUnsafeMutableBufferPointer { hooks.load_many?(hooks.context, $0.baseAddress, $0.count) }
        return keys.indices.map { index in
            let item = items[index]
            return Loaded(
                Status(rawValue: item.status), version: item.version, lent[index].bytes,
                isItemChanged: item.key != keys[index] || item.out != lent[index].pointer)
        }
    }

    func saveMany(_ saves: [LentSave]) -> [Written] {
        var items = saves.map { save in
            skan_save_item(
                key: save.key, data: save.record.baseAddress, length: save.record.count,
                expected_version: save.expected, new_version: 0, status: Status.storeUnknown.rawValue)
        }
        items.withUnsafeMutableBufferPointer { hooks.save_many?(hooks.context, $0.baseAddress, $0.count) }
        return zip(saves, items).map { save, item in
            Written(
                Status(rawValue: item.status), version: item.new_version,
                isItemChanged: item.key != save.key || item.data != save.record.baseAddress
                    || item.length != save.record.count || item.expected_version != save.expected)
        }
    }

    func list(withPrefix prefix: UnsafePointer<CChar>?, after cursor: Bytes) -> Listed {
        let (place, keys) = (buffers.take(holding: cursor), buffers.take(holding: "what the buffer held"))
        defer {
            buffers.takeBack(place)
            buffers.takeBack(keys)
        }
        let status =
            prefix == nil
            ? hooks.list?(hooks.context, place.pointer, keys.pointer)
            : hooks.list_with_prefix?(hooks.context, prefix, place.pointer, keys.pointer)
        return Listed(Status(rawValue: status ?? Status.store.rawValue), keys: keys.bytes, cursor: place.bytes)
    }
}

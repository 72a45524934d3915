internal import CSKAN
internal import CSKANSystem
internal import SKANCore
package import SKANStorePool
internal import SKANSystem

extension UnsafeMutablePointer<skan_store> {
    /// The hooks keep `records` alive until `finalize` is called.
    package func fill(_ records: RecordStore) {
        var hooks = skan_store()
        hooks.size = MemoryLayout<skan_store>.size
        hooks.context = Unmanaged.passRetained(records).toOpaque()
        hooks.finalize = finalize
        hooks.load = { context, key, buffer, version in
            ended { () throws(Failure) in
                let isThere = try store(context).load(bytes(key)) { record, found in
                    version?.pointee = found
                    return skan_buffer_set(buffer, record.baseAddress, record.count) == Status.ok.rawValue
                }
                return isThere ? .ok : .notFound
            }
        }
        hooks.save = { context, key, data, length, expected, version in
            ended { () throws(Failure) in
                let record = try record(data, length)
                guard let new = try store(context).save(bytes(key), record, expected: expected) else {
                    return .storeConflict
                }
                version?.pointee = new
                return .ok
            }
        }
        hooks.remove = { context, key, expected in
            ended { () throws(Failure) in
                try store(context).remove(bytes(key), expected: expected) ? .ok : .storeConflict
            }
        }
        hooks.list = { list($0, nil, $1, $2) }
        hooks.list_with_prefix = { list($0, $1, $2, $3) }
        hooks.load_many = { loadMany($0, $1, $2) }
        hooks.save_many = { saveMany($0, $1, $2) }
        hooks.keeps_stack = true
        initialize(to: hooks)
    }

    /// Closes the store behind the hooks and clears the hooks. Does nothing if the store belongs to another library.
    package func close() {
        guard let own = pointee.finalize, let context = pointee.context,
            unsafeBitCast(own, to: UnsafeRawPointer.self) == unsafeBitCast(finalize, to: UnsafeRawPointer.self)
        else { return }
        own(context)
        initialize(to: skan_store())
    }
}

private let finalize: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
    if let context { Unmanaged<RecordStore>.fromOpaque(context).release() }
}

private func store(_ context: UnsafeMutableRawPointer?) throws(Failure) -> RecordStore {
    guard let context else { throw Failure(.store, "a hook was called without its context") }
    return Unmanaged<RecordStore>.fromOpaque(context).takeUnretainedValue()
}

private func bytes(_ key: UnsafePointer<CChar>?) -> Bytes { Bytes(start: key, count: key.map { strlen($0) } ?? 0) }

/// Throws if the length, which is unsigned in C, exceeds Swift's Int.
private func record(_ data: UnsafeRawPointer?, _ length: Int) throws(Failure) -> Bytes {
    guard length >= 0 else { throw Failure(.store, "save: a record of \(UInt(bitPattern: length)) bytes") }
    return Bytes(start: data, count: length)
}

private func ended(_ body: () throws(Failure) -> Status) -> skan_status {
    do throws(Failure) { return try body().rawValue } catch { return error.status.rawValue }
}

private func list(
    _ context: UnsafeMutableRawPointer?, _ prefix: UnsafePointer<CChar>?, _ cursor: OpaquePointer?,
    _ keys: OpaquePointer?
) -> skan_status {
    ended { () throws(Failure) in
        let after = Bytes(start: skan_buffer_data(cursor), count: skan_buffer_size(cursor))
        try store(context).list(beginningWith: bytes(prefix), after: after) { page, next in
            skan_buffer_set(keys, page.baseAddress, page.count) == Status.ok.rawValue
                && skan_buffer_set(cursor, next.baseAddress, next.count) == Status.ok.rawValue
        }
        return .ok
    }
}

private func loadMany(_ context: UnsafeMutableRawPointer?, _ given: UnsafeMutablePointer<skan_load_item>?, _ count: Int)
{
    guard let given else { return }
    withUnsafeTemporaryAllocation(of: LoadItem.self, capacity: count) { items in
        for index in 0..<count { items.initializeElement(at: index, to: LoadItem(key: bytes(given[index].key))) }
        _ = ended { () throws(Failure) in
            try store(context).loadMany(items) { index, record in
                skan_buffer_set(given[index].out, record.baseAddress, record.count) == Status.ok.rawValue
            }
            return .ok
        }
        for index in 0..<count {
            given[index].status = items[index].status.rawValue
            if items[index].status == .ok { given[index].version = items[index].version }
        }
    }
}

private func saveMany(_ context: UnsafeMutableRawPointer?, _ given: UnsafeMutablePointer<skan_save_item>?, _ count: Int)
{
    guard let given else { return }
    withUnsafeTemporaryAllocation(of: SaveItem.self, capacity: count) { items in
        for index in 0..<count {
            let item = given[index]
            let record = Bytes(start: item.data, count: max(item.length, 0))
            items.initializeElement(
                at: index, to: SaveItem(key: bytes(item.key), record: record, expected: item.expected_version))
        }
        _ = ended { () throws(Failure) in
            for index in 0..<count { _ = try record(given[index].data, given[index].length) }
            try store(context).saveMany(items)
            return .ok
        }
        for index in 0..<count {
            given[index].status = items[index].status.rawValue
            if items[index].status == .ok { given[index].new_version = items[index].version }
        }
    }
}

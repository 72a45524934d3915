package import SKANCore
package import SKANStorePool
package import SKANSystem

extension RedisConnection {
    package func load(_ key: Bytes, _ take: (Bytes, _ version: UInt64) -> Bool) throws(Failure) -> Bool {
        var item = LoadItem(key: key)
        return try withUnsafeMutablePointer(to: &item) { item throws(Failure) in
            try loadMany(UnsafeMutableBufferPointer(start: item, count: 1)) { _, record in
                take(record, item.pointee.version)
            }
            return item.pointee.status == .ok
        }
    }

    /// Loads many records with all commands sent at once; each record succeeds or fails by itself.
    package func loadMany(
        _ items: UnsafeMutableBufferPointer<LoadItem>, _ take: (Int, Bytes) -> Bool
    ) throws(Failure) {
        for index in items.indices { items[index].status = .store }
        var first = FirstFailure()
        run(items.count, reads: true, key: { fitting(items[$0].key) }) { index, out in
            writeLoad(items[index].key, to: &out)
        } _: { _, index, reply in
            do throws(Failure) {
                items[index].status = try loaded(items, index, reply, take)
            } catch {
                items[index].status = first.note(error)
            }
        } _: { _, _, trouble in
            if first.isNone { first.note(failure(.store, "load", trouble.words)) }
        }
        try first.throwIfAny()
    }

    /// The key, or the empty key if the key is too long. No install has the empty key; the reply for it is ignored.
    private func fitting(_ key: Bytes) -> Bytes { RedisLayout.isTooLong(key) ? Bytes(rebasing: key[..<0]) : key }

    private func writeLoad(_ key: Bytes, to out: inout RedisCommands) {
        let key = fitting(key)
        out.begin(4)
        out.add("GETRANGE")
        out.add(bytes: RedisLayout.keyBytes(settings.prefix, key)) {
            RedisLayout.writeKey(settings.prefix, key, to: &$0)
        }
        out.add("0")
        // Asks for one byte more than a record may have, so that a record that is too long is noticed.
        out.add(UInt64(RedisLayout.headerBytes + Limits.bufferBytes))
    }

    private func loaded(
        _ items: UnsafeMutableBufferPointer<LoadItem>, _ index: Int, _ reply: RedisReply, _ take: (Int, Bytes) -> Bool
    ) throws(Failure) -> Status {
        let key = items[index].key
        if RedisLayout.isTooLong(key) { throw tooLong(key, "load") }
        guard let value = reply.string else {
            dropWhereStale(reply)
            throw failure(.store, "load", reply)
        }
        switch RedisLayout.read(value) {
        case .none: return .notFound
        case .foreign(let words): throw failure(.store, "load", words)
        case .record(let record, let version):
            items[index].version = version
            guard record.count <= Limits.bufferBytes, take(index, record) else {
                throw failure(.store, "load", "a record of more than \(Limits.bufferBytes) bytes")
            }
            return .ok
        }
    }
}

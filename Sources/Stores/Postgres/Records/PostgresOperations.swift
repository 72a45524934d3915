package import SKANCore
package import SKANStorePool
package import SKANSystem

extension PostgresConnection: Connection {
    /// Always false, because only the session can break, and the connection itself replaces a broken session.
    package var isBroken: Bool { false }
    package func isStale() -> Bool { false }

    @inline(never)
    private func run(
        _ statement: PostgresStatement, _ parameters: StatementParameters, _ doing: StaticString, writes: Bool
    ) throws(Failure) -> ServerAnswer {
        try trying(writes: writes) { session throws(ServerTrouble) in
            try session.run(statement, parameters, doing, until: deadline)
        }
    }

    // MARK: One record

    package func load(_ key: Bytes, _ take: (Bytes, _ version: UInt64) -> Bool) throws(Failure) -> Bool {
        let found = try run(.load, StatementParameters(key: key), "load", writes: false)
        guard found.rows <= 1 else {
            throw settings.failure(.store, "load: expected one row, got \(found.rows)")
        }
        if found.rows == 0 { return false }
        try found.showRecord(0, settings, take)
        return true
    }

    package func save(_ key: Bytes, _ record: Bytes, expected: UInt64) throws(Failure) -> UInt64? {
        if expected > greatestVersion { return nil }  // no version of this store
        let version = try drawVersion(otherThan: expected)
        let given = StatementParameters(key: key, version: version, record: record, expected: expected)
        let saved = try run(expected == 0 ? .insert : .update, given, "save", writes: true)
        return saved.changedOne ? version : nil
    }

    package func remove(_ key: Bytes, expected: UInt64) throws(Failure) -> Bool {
        if expected > greatestVersion { return false }
        let given = StatementParameters(key: key, version: expected)
        return try run(.remove, given, "remove", writes: true).changedOne
    }

    // MARK: Many at once

    package func loadMany(
        _ items: UnsafeMutableBufferPointer<LoadItem>, _ take: (Int, Bytes) -> Bool
    ) throws(Failure) {
        for index in items.indices { items[index].status = .store }
        let loads = ManyLoads(items)
        let found = try loads.arrayOfKeys().withBytes { keys throws(Failure) in
            try run(.loadMany, StatementParameters(key: keys), "load", writes: false)
        }
        try loads.takeRows(found, settings, take)
    }

    package func saveMany(_ items: UnsafeMutableBufferPointer<SaveItem>) throws(Failure) {
        do throws(Failure) {
            let saves = try ManySaves(items)
            if saves.isEmpty { return }
            try trying(writes: true) { session throws(ServerTrouble) in
                try saves.run(session, until: deadline)
            }
        } catch {
            for index in items.indices where items[index].expected <= greatestVersion {
                items[index].status = error.status
            }
            throw error
        }
    }

    // MARK: Keys

    private static var mark: UInt8 { UInt8(ascii: "k") }

    /// Lists a page of keys. A cursor is the byte `mark`, followed by the last key that was listed.
    package func list(
        beginningWith prefix: Bytes, after cursor: Bytes, _ take: (_ keys: Bytes, _ cursor: Bytes) -> Bool
    ) throws(Failure) {
        guard
            cursor.isEmpty || (cursor.first == PostgresConnection.mark && 2...1 + Limits.installIDBytes ~= cursor.count)
        else {
            throw settings.failure(.store, "list: the cursor was not made by this store")
        }
        try firstKey(beginningWith: prefix, after: Bytes(rebasing: cursor.dropFirst())).withBytes {
            first throws(Failure) in
            try keyBehind(prefix).withBytes { behind throws(Failure) in
                try list(from: first, below: behind, beginningWith: prefix, take)
            }
        }
    }

    /// Lists a page of keys. If `behind` is not empty, the server stops before that key.
    private func list(
        from first: Bytes, below behind: Bytes, beginningWith prefix: Bytes,
        _ take: (_ keys: Bytes, _ cursor: Bytes) -> Bool
    ) throws(Failure) {
        let range = StatementParameters(key: first, record: behind)
        let page = try run(behind.isEmpty ? .list : .listBelow, range, "list", writes: false)
        var keys = ByteBuffer(capacity: 4096)
        var next = ByteBuffer(capacity: 256)
        let isWhole = page.rows <= PostgresStatement.pageKeys
        for row in 0..<(isWhole ? page.rows : 0) {
            let value = page.value(row, 0) ?? Bytes(start: nil, count: 0)
            let key = Bytes(rebasing: value.prefix(Limits.installIDBytes))
            if !key.starts(with: prefix) { break }  // No later key matches either: this is the last page.
            if row + 1 == PostgresStatement.pageKeys {
                next.append(PostgresConnection.mark)
                next.append(key)
            }
            if key.isEmpty || key.contains(0) { continue }  // a store has no such key
            keys.append(key)
            keys.append(0)
        }
        guard isWhole && keys.withBytes({ keys in next.withBytes { take(keys, $0) } }) else {
            throw settings.failure(.store, "list: the \(page.rows) keys of a page do not fit into their buffer")
        }
    }
}

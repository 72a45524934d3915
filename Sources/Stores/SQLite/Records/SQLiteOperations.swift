internal import CSKANSQLite3
internal import CSKANSystem
package import SKANCore
package import SKANStorePool
package import SKANSystem

extension SQLiteConnection {
    // MARK: Health

    /// Marks the connection as broken after an error, unless a new connection would most likely meet the same error,
    /// such as a locked file or a full disk.
    private func noteHealth(_ code: Int32) {
        switch code & 0xFF {
        case SQLITE_BUSY, SQLITE_FULL, SQLITE_TOOBIG, SQLITE_NOMEM: break
        default: isBroken = true
        }
    }

    /// Returns the failure of a change, and marks the connection as broken if the error calls for a new one.
    private func failedChange(_ doing: StaticString, _ code: Int32) -> Failure {
        let status = endOfChange(code)
        noteHealth(code)
        if status == .storeUnknown { isBroken = true }
        return failure(status, doing, code)
    }

    /// Returns the status of changes whose statement ended with an error, be it a single change or the COMMIT of many.
    ///
    /// A single change is one statement in autocommit mode, and so a transaction of its own; many changes are one
    /// transaction between BEGIN and COMMIT. SQLite calls the commit hook when it begins to commit ("Commit And
    /// Rollback Notification Callbacks"). Until then, no frame in the log has the commit mark that completes a
    /// transaction ("Write-Ahead Logging", "WAL-mode File Format"), so that after an error the change was certainly not
    /// made. The same is true of SQLITE_BUSY in any case, because locks are taken before the first frame is written.
    /// With PRAGMA cache_spill = 0, no frames are written before the commit at all, and the commit writes them in
    /// order, each once, whether they belong to one change or to many.
    ///
    /// During the commit, SQLite rolls back after every error ("Transaction", "Response To Errors Within A
    /// Transaction"), and all connections go on seeing the file without the change. But if it was writing the log's
    /// index or syncing that failed, the frame with the commit mark may already be complete in the log. After a crash,
    /// the next connection rebuilds the index from the log ("WAL-mode File Format", "Recovery") and would find the
    /// change. So the outcome is unknown, except after SQLITE_FULL, which means that a write was incomplete ("Result
    /// and Error Codes", and xWrite of os_unix.c): the frame with the commit mark is written last, and an incomplete
    /// frame fails its checksum. That frame is not the last one if the file is not powersafe-overwrite, because the log
    /// is then padded to whole sectors with frames that have the mark too ("Powersafe Overwrite").
    private func endOfChange(_ code: Int32) -> Status {
        if !isCommitting || code & 0xFF == SQLITE_BUSY { return .store }
        if code & 0xFF != SQLITE_FULL { return .storeUnknown }
        var isPowersafe: Int32 = -1  // asks for the setting
        let asked = sqlite3_file_control(database, main.cString, SQLITE_FCNTL_POWERSAFE_OVERWRITE, &isPowersafe)
        return asked == SQLITE_OK && isPowersafe == 1 ? .store : .storeUnknown
    }

    private func bind(_ statement: OpaquePointer?, _ index: Int32, _ bytes: Bytes) -> Int32 {
        // Without a pointer, SQLite would bind NULL.
        sqlite3_bind_blob64(statement, index, bytes.baseAddress ?? emptyBytes, UInt64(bytes.count), nil)
    }

    private var emptyBytes: UnsafeRawPointer { UnsafeRawPointer(("" as StaticString).utf8Start) }

    private func reset(_ statement: OpaquePointer?) {
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
    }

    // MARK: One record

    private enum Loaded {
        case found, missing
        /// The record cannot be used, although SQLite reported no error.
        case wrong(Failure)
        case failed(Failure)
    }

    private func read(_ key: Bytes, _ take: (Bytes, _ version: UInt64) -> Bool) -> Loaded {
        defer { reset(loading) }
        var code = bind(loading, 1, key)
        if code == SQLITE_OK { code = sqlite3_step(loading) }
        if code == SQLITE_ROW {
            let version = sqlite3_column_int64(loading, 0)
            let record = sqlite3_column_blob(loading, 1)
            let length = sqlite3_column_bytes(loading, 1)
            if record != nil || length == 0 {
                if version < 1 { return .wrong(failure(.store, "a record has version \(version)")) }
                if take(Bytes(start: record, count: Int(length)), UInt64(version)) { return .found }
                return .wrong(failure(.store, "a record has \(length) bytes"))
            }
            code = SQLITE_NOMEM
        }
        if code == SQLITE_DONE { return .missing }
        noteHealth(code)
        return .failed(failure(.store, "load", code))
    }

    package func load(_ key: Bytes, _ take: (Bytes, _ version: UInt64) -> Bool) throws(Failure) -> Bool {
        switch read(key, take) {
        case .found: return true
        case .missing: return false
        case .wrong(let failure), .failed(let failure): throw failure
        }
    }

    package func save(_ key: Bytes, _ record: Bytes, expected: UInt64) throws(Failure) -> UInt64? {
        if expected > greatestVersion { return nil }  // no version of this store
        let version = try drawVersion(otherThan: expected)
        let statement = expected == 0 ? inserting : updating
        var code = bind(statement, 1, key)
        if code == SQLITE_OK { code = sqlite3_bind_int64(statement, 2, Int64(version)) }
        if code == SQLITE_OK { code = bind(statement, 3, record) }
        if code == SQLITE_OK && expected != 0 { code = sqlite3_bind_int64(statement, 4, Int64(expected)) }
        return try change(statement, code, "save") ? version : nil
    }

    package func remove(_ key: Bytes, expected: UInt64) throws(Failure) -> Bool {
        if expected > greatestVersion { return false }
        var code = bind(removing, 1, key)
        if code == SQLITE_OK { code = sqlite3_bind_int64(removing, 4, Int64(expected)) }
        return try change(removing, code, "remove")
    }

    /// Runs a statement if its parameters could be bound; `bound` is the result code of the binding. Returns false for
    /// a conflict.
    private func change(_ statement: OpaquePointer?, _ bound: Int32, _ doing: StaticString) throws(Failure) -> Bool {
        isCommitting = false
        defer { reset(statement) }
        let code = bound == SQLITE_OK ? step(statement) : bound
        guard code == SQLITE_DONE else { throw failedChange(doing, code) }
        return sqlite3_changes(database) == 1
    }

    /// Runs a statement in turn; between BEGIN and COMMIT this process already has its turn.
    private func step(_ statement: OpaquePointer?) -> Int32 {
        sqlite3_get_autocommit(database) == 0 ? sqlite3_step(statement) : inTurn { sqlite3_step(statement) }
    }

    // MARK: Many at once

    /// Rolls back a transaction that is still open.
    private func leave() {
        if sqlite3_get_autocommit(database) != 0 { return }
        if execute("ROLLBACK") != SQLITE_OK || sqlite3_get_autocommit(database) == 0 {
            isBroken = true
        }
    }

    /// Begins or commits a transaction. The status of a thrown failure says whether the changes may have been made.
    private func transact(_ sql: StaticString, writes: Bool = false) throws(Failure) {
        isCommitting = false
        let code = writes ? inTurn { execute(sql) } : execute(sql)
        if code == SQLITE_OK { return }
        defer { leave() }
        throw failedChange(sql, code)
    }

    /// Loads all records from one snapshot of the file. After an error of SQLite, the remaining records are not tried,
    /// because each might wait for a lock.
    package func loadMany(
        _ items: UnsafeMutableBufferPointer<LoadItem>, _ take: (Int, Bytes) -> Bool
    ) throws(Failure) {
        for index in items.indices { items[index].status = .store }
        try transact("BEGIN")
        defer { leave() }
        var failed: Failure?
        loading: for index in items.indices {
            let loaded = read(items[index].key) { record, version in
                items[index].version = version
                return take(index, record)
            }
            switch loaded {
            case .found: items[index].status = .ok
            case .missing: items[index].status = .notFound
            case .wrong(let failure): failed = failure
            case .failed(let failure):
                failed = failure
                break loading
            }
        }
        if let failed { throw failed }
    }

    /// Saves all items in one transaction. A conflict is certain, whatever happens to the other items, because the
    /// transaction reads committed data and all keys differ. All other items succeed or fail together: an error in a
    /// statement ends the transaction before it is committed, so that earlier items are not applied either.
    package func saveMany(_ items: UnsafeMutableBufferPointer<SaveItem>) throws(Failure) {
        var failed: Failure?
        for index in items.indices { items[index].status = .store }
        do throws(Failure) {
            try transact("BEGIN IMMEDIATE", writes: true)
            defer { leave() }
            var hasSaved = false
            for index in items.indices {
                let item = items[index]
                if let version = try save(item.key, item.record, expected: item.expected) {
                    items[index].status = .ok
                    items[index].version = version
                    hasSaved = true
                } else {
                    items[index].status = .storeConflict
                }
            }
            if hasSaved { try transact("COMMIT") }
        } catch {
            failed = error
        }
        guard let failed else { return }
        for index in items.indices where items[index].status != .storeConflict { items[index].status = failed.status }
        throw failed
    }

    // MARK: Keys

    /// The text at the start of every cursor; the last listed key follows it.
    private var mark: StaticString { "libskan-sqlite 1 after " }

    /// The key in a cursor; empty for the first page, nil if the cursor has another form.
    private func key(in cursor: Bytes) -> Bytes? {
        if cursor.isEmpty { return cursor }
        let length = mark.bytes.count
        guard length + 1...length + Limits.installIDBytes ~= cursor.count, cursor.starts(with: mark.bytes) else {
            return nil
        }
        return Bytes(rebasing: cursor.dropFirst(length))
    }

    package func list(
        beginningWith prefix: Bytes, after cursor: Bytes, _ take: (_ keys: Bytes, _ cursor: Bytes) -> Bool
    ) throws(Failure) {
        guard let after = key(in: cursor) else {
            throw failure(.store, "list: a cursor of \(cursor.count) bytes that this store did not make")
        }
        try firstKey(beginningWith: prefix, after: after).withBytes { first throws(Failure) in
            try list(from: first, beginningWith: prefix, take)
        }
    }

    private func list(
        from first: Bytes, beginningWith prefix: Bytes, _ take: (_ keys: Bytes, _ cursor: Bytes) -> Bool
    ) throws(Failure) {
        defer { reset(listing) }
        var keys = ByteBuffer(capacity: 4096)
        var last = 0..<0
        let code = try readKeys(from: first, beginningWith: prefix, into: &keys, &last)
        guard code == SQLITE_ROW || code == SQLITE_DONE else {
            noteHealth(code)
            throw failure(.store, "list", code)
        }
        var next = ByteBuffer(capacity: 256)
        if code == SQLITE_ROW {
            next.append(mark)
            keys.withBytes { next.append(Bytes(rebasing: $0[last])) }
        }
        guard keys.withBytes({ keys in next.withBytes { take(keys, $0) } }) else {
            throw failure(.store, "list: the keys of a page do not fit into their buffer")
        }
    }

    /// Reads the keys of a page, each ended by a NUL, and sets `last` to the range of the last key. Returns SQLITE_ROW
    /// if there are more keys, SQLITE_DONE if there are none, or the code of an error.
    private func readKeys(
        from first: Bytes, beginningWith prefix: Bytes, into keys: inout ByteBuffer, _ last: inout Range<Int>
    ) throws(Failure) -> Int32 {
        var code = bind(listing, 1, first)
        while code == SQLITE_OK {
            code = sqlite3_step(listing)
            if code != SQLITE_ROW { break }
            guard let key = sqlite3_column_blob(listing, 0) else { return SQLITE_NOMEM }
            let length = Int(sqlite3_column_bytes(listing, 0))
            if !Bytes(start: key, count: length).starts(with: prefix) { return SQLITE_DONE }
            if length > Limits.installIDBytes || memchr(key, 0, length) != nil {
                throw failure(.store, "list: found a key of \(length) bytes that cannot be an install's")
            }
            if keys.count + length + 1 > Limits.bufferBytes { break }
            last = keys.count..<keys.count + length
            keys.append(Bytes(start: key, count: length))
            keys.append(0)
            code = SQLITE_OK
        }
        return code
    }
}

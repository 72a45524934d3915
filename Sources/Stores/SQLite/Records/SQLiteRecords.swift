internal import CSKANSQLite3
package import SKANCore
package import SKANStorePool
package import SKANSystem

extension StoreDescription {
    package static var sqlite: StoreDescription {
        StoreDescription(schemes: ["sqlite:"], timeout: 5000, connections: 8, listsEachKeyOnce: true)
    }
}

package struct SQLiteOptions {
    package var isFull = true
    /// Whether the store only reads the file. Such a file need not be writable, and is not created.
    package var onlyReads = false
    /// The longest time that a call waits for a lock, in milliseconds.
    package var busyTimeout = StoreDescription.sqlite.timeout
    package var connections = StoreDescription.sqlite.connections

    package init() {}
}

/// The file is created if there is none.
@export(interface)
package func openSQLite(
    _ path: CText, _ options: SQLiteOptions, report: ((Failure) -> Void)?
) throws(Failure) -> RecordStore {
    guard sqlite3_threadsafe() != 0 else {
        throw Failure(.store, "\(path.message): this SQLite was built without threads")
    }
    let file = try DatabaseFile.find(path)
    // SQLite allows one writer at a time and would make others poll, so the threads of one process queue here instead.
    let pool = PoolSettings(
        name: file.message, limit: options.connections, timeoutMilliseconds: options.busyTimeout, hasOneWriter: true)
    return try PooledStore<SQLiteConnection>(
        pool,
        SQLiteConnection.Settings(
            path: file, isFull: options.isFull, onlyReads: options.onlyReads, busyTimeout: options.busyTimeout),
        report: report)
}

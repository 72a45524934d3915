public import SKAN
internal import SKANCore
internal import SKANSQLiteRecords
public import SKANStoreThreads
internal import SKANSystem

/// A store in an SQLite file.
///
///     let engine = try await Engine(Configuration(endpointURL: url), store: .sqlite(path: "players.db"))
///
/// Know before production:
/// - Any number of tasks and processes may use one file at once, on one machine, not over a network file system.
/// - While the file is in use, and after a crash, there are two more files, `-wal` and `-shm`. Keep all three together.
/// - A file with other tables is refused. New files are readable by their owner only.
/// - A call throws `StoreFailure` only if the change was certainly not made, for example because the file is locked or
///   read-only, or the disk is full. The store works again once the cause is gone; it need not be reopened.
public final class SQLiteStore: CompanionStore, @unchecked Sendable {
    /// How safe a change is once its call returns. With either value, a process that crashes or is killed loses
    /// nothing, and a power failure does not damage the file.
    public enum Synchronous: Sendable {
        /// Each change waits for the disk, so that a power failure loses nothing either.
        case full
        /// Changes do not wait for the disk. This is many times faster, but a power failure may lose the last changes,
        /// often some seconds of them.
        case normal
    }

    /// Opens the file as a store, which blocks the calling thread; in a task, use `Store.sqlite(path:)` instead.
    ///
    /// - Parameters:
    ///   - path: The path of the file, which is created if there is none; its directory must exist. URIs and ":memory:"
    ///     are refused; an engine without a store keeps installs in memory.
    ///   - synchronous: Whether a power failure may lose the last changes.
    ///   - busyTimeout: How long a call waits for other threads and, once more, for other processes; up to an hour.
    ///   - connections: The number of connections, and of threads, that the store may use, 1...1024. One thread writes
    ///     at a time.
    ///   - report: Receives the error, with SQLite's message, whenever a call fails.
    /// - Throws: `SKANError.Code.invalidArgument`; `SKANError.Code.store`, with SQLite's message, if the file cannot be
    ///   opened or written, is not a database, or belongs to another program; `SKANError.Code.recordTooNew` if a newer
    ///   libskan made the file.
    public init(
        path: String, synchronous: Synchronous = .full, busyTimeout: Duration = .seconds(5), connections: Int = 8,
        report: Report? = nil
    ) throws {
        try checkText(path, "path")
        var options = SQLiteOptions()
        options.isFull = synchronous == .full
        options.busyTimeout = try Option.milliseconds(busyTimeout, "busyTimeout")
        options.connections = try Option.count(connections, "connections")
        try super.init(threads: options.connections, report: report) { report throws(Failure) in
            try openSQLite(try DatabaseFile.check(path), options, report: report)
        }
    }
}

extension Store where Self == SQLiteStore {
    /// A store in an SQLite file, opened while the task waits. See
    /// ``SQLiteStore/init(path:synchronous:busyTimeout:connections:report:)``.
    public static func sqlite(
        path: String, synchronous: SQLiteStore.Synchronous = .full, busyTimeout: Duration = .seconds(5),
        connections: Int = 8, report: CompanionStore.Report? = nil
    ) async throws -> SQLiteStore {
        try await onThreadOfItsOwn {
            try SQLiteStore(
                path: path, synchronous: synchronous, busyTimeout: busyTimeout, connections: connections, report: report
            )
        }
    }
}

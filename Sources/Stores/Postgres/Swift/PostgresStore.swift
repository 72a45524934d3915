public import SKAN
internal import SKANCore
internal import SKANPostgresRecords
public import SKANStoreThreads
internal import SKANSystem

/// A store in a PostgreSQL table, over libpq.
///
///     let engine = try await Engine(
///         Configuration(endpointURL: url), store: .postgres("postgres://game@db.internal/game", createTable: true))
///
/// Know before production, besides what postgres.h says about the table, durability, failovers and poolers:
/// - Any number of tasks, processes and machines may use one table at once.
/// - A call throws `StoreFailure` only if the change was certainly not made, and `SKANError.Code.storeUnknown` if it
///   was sent and no answer came. The store works again once the cause is gone; it need not be reopened.
/// - Many records in one call take one round trip; their saves are one transaction.
public final class PostgresStore: CompanionStore, @unchecked Sendable {
    /// Opens the table as a store, which blocks the calling thread; in a task, use `Store.postgres` instead.
    ///
    /// - Parameters:
    ///   - url: A connection URI or string of libpq. No message contains its password.
    ///   - table: The table, "table" or "schema.table", as the catalog spells the names; nil = "skan_records".
    ///   - createTable: Whether to create the table if it is missing.
    ///   - isPooled: Whether a connection pooler is in front of the server. If so, nothing is kept in a session.
    ///   - timeout: The time-out of a whole call, up to an hour.
    ///   - connections: The number of connections, and of threads, that the store may use, 1...1024.
    ///   - report: Receives the error, with the server's or libpq's message, whenever a call fails.
    /// - Throws: `SKANError.Code.invalidArgument`; `SKANError.Code.store`, with the server's message, if the server
    ///   cannot be reached or refuses the role, or if the table is missing or has another shape;
    ///   `SKANError.Code.recordTooNew` if a newer libskan made the table.
    public init(
        _ url: String, table: String? = nil, createTable: Bool = false, isPooled: Bool = false,
        timeout: Duration = .seconds(5), connections: Int = 8, report: Report? = nil
    ) throws {
        try checkText(url, "url")
        try checkText(table ?? "", "table")
        var options = PostgresOptions()
        if let table { options.table = CText(table.utf8) }
        options.timeout = try Option.milliseconds(timeout, "timeout")
        options.connections = try Option.count(connections, "connections")
        options.createsTable = createTable
        options.isPooled = isPooled
        try super.init(threads: options.connections, report: report) { report throws(Failure) in
            try openPostgres(try PostgresAddress.check(url), options, report: report)
        }
    }
}

extension Store where Self == PostgresStore {
    /// A store in a PostgreSQL table, opened while the task waits. See ``PostgresStore``.
    public static func postgres(
        _ url: String, table: String? = nil, createTable: Bool = false, isPooled: Bool = false,
        timeout: Duration = .seconds(5), connections: Int = 8, report: CompanionStore.Report? = nil
    ) async throws -> PostgresStore {
        try await onThreadOfItsOwn {
            try PostgresStore(
                url, table: table, createTable: createTable, isPooled: isPooled, timeout: timeout,
                connections: connections, report: report)
        }
    }
}

public import SKAN
internal import SKANCore
internal import SKANRedisRecords
public import SKANStoreThreads

/// A store on a Redis or Valkey server, or on a cluster of them, over hiredis and OpenSSL.
///
///     let engine = try await Engine(
///         Configuration(endpointURL: url), store: .redis("redis://:password@cache.internal"))
///
/// Know before production, besides what redis.h says:
/// - Durability is up to the server, and weak by default. For revenue that must not be lost, use appendonly yes with
///   appendfsync always, or a database.
/// - Any number of tasks, processes and machines may use one server at once.
/// - With redis+cluster:// and the hosts of a few nodes, the store follows slots that move and masters that fail over.
///   A failover may lose acknowledged changes; moving slots does not. rediss:// and rediss+cluster:// use TLS 1.2 or
///   newer.
/// - A call throws `StoreFailure` only if the change was certainly not made, and `SKANError.Code.storeUnknown` if it
///   was sent and no answer came. The store works again once the cause is gone; it need not be reopened.
/// - Many records in one call take one round trip.
public final class RedisStore: CompanionStore, @unchecked Sendable {
    /// Opens a store, which blocks the calling thread; in a task, use `Store.redis` instead.
    ///
    /// - Parameters:
    ///   - url: redis://[user[:password]@]host[:port][/database], redis+cluster://[user[:password]@]host[:port],...,
    ///     rediss:// or rediss+cluster:// for TLS with [?cacert=file&cert=file&key=file&sni=name], or
    ///     redis+unix://[user[:password]@]/path[?db=database]. No message contains the user or the password.
    ///   - prefix: Prepended to every key, up to 64 bytes; "" = none.
    ///   - timeout: The time-out of a whole call, up to an hour.
    ///   - connectTimeout: The time-out of connecting within a call; nil = the same as `timeout`.
    ///   - connections: The number of connections, in a cluster to each master, and of threads that the store may use,
    ///     1...1024.
    ///   - expireDaysAfterClose: The server deletes a registered install's record this many days, 1...36500, after the
    ///     install's last postback window has closed; nil = all records are kept.
    ///   - allowEviction: Whether to open the store even if the server says that it drops records when its memory is
    ///     full.
    ///   - report: Receives the error, with the server's message, whenever a call fails.
    /// - Throws: `SKANError.Code.invalidArgument`; `SKANError.Code.store`, with the server's message, if the server
    ///   cannot be reached, refuses the user, or would drop records.
    public init(
        _ url: String, prefix: String = "skan:", timeout: Duration = .seconds(5), connectTimeout: Duration? = nil,
        connections: Int = 8, expireDaysAfterClose: Int? = nil, allowEviction: Bool = false, report: Report? = nil
    ) throws {
        try checkText(url, "url")
        try checkText(prefix, "prefix")
        var options = RedisOptions()
        options.prefix = Array(prefix.utf8)
        options.timeout = try Option.milliseconds(timeout, "timeout")
        options.connectTimeout = try connectTimeout.map { try Option.milliseconds($0, "connectTimeout") }
        options.connections = try Option.count(connections, "connections")
        options.expireDays =
            try expireDaysAfterClose.map {
                try Option.count($0, "expireDaysAfterClose", upTo: Int(RedisOptions.greatestExpireDays))
            } ?? 0
        options.allowsEviction = allowEviction
        try super.init(threads: options.connections, report: report) { report throws(Failure) in
            try openRedis(url, options, report: report)
        }
    }
}

extension Store where Self == RedisStore {
    /// A store on a Redis or Valkey server, opened while the task waits. See ``RedisStore``.
    public static func redis(
        _ url: String, prefix: String = "skan:", timeout: Duration = .seconds(5), connectTimeout: Duration? = nil,
        connections: Int = 8, expireDaysAfterClose: Int? = nil, allowEviction: Bool = false,
        report: CompanionStore.Report? = nil
    ) async throws -> RedisStore {
        try await onThreadOfItsOwn {
            try RedisStore(
                url, prefix: prefix, timeout: timeout, connectTimeout: connectTimeout, connections: connections,
                expireDaysAfterClose: expireDaysAfterClose, allowEviction: allowEviction, report: report)
        }
    }
}

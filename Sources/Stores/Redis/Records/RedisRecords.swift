internal import CSKANSystem
package import SKANCore
package import SKANStorePool
internal import SKANSystem

extension RedisConnection: Connection {
    /// Always false, because each call checks its connections itself.
    package func isStale() -> Bool { false }
}

extension StoreDescription {
    /// A listing can give a key twice, because SCAN can.
    package static var redis: StoreDescription {
        StoreDescription(
            schemes: [
                "redis://", "rediss://", "redis+cluster://", "rediss+cluster://", "redis+unix://", "unix://",
            ], timeout: 5000, connections: 8,
            listsEachKeyOnce: false)
    }
}

/// Times are in milliseconds.
package struct RedisOptions {
    /// Prepended to every key.
    package var prefix = ("skan:" as Message).utf8
    package var timeout = StoreDescription.redis.timeout
    /// The time-out of connecting, as a part of a call; nil if connecting may take as long as the call.
    package var connectTimeout: UInt32?
    package var connections = StoreDescription.redis.connections
    /// The days after which an install's record is deleted, counted from the close of its last postback window; 0 if
    /// records are kept.
    package var expireDays: UInt32 = 0
    package var allowsEviction = false

    package static var greatestExpireDays: UInt32 { 36_500 }

    package init() {}
}

@export(interface)
package func openRedis(
    _ url: UnsafePointer<CChar>?, _ options: RedisOptions, report: ((Failure) -> Void)?
) throws(Failure) -> RecordStore {
    guard let url, url.pointee != 0 else {
        let got: StaticString = url == nil ? "NULL" : "\"\""
        throw Failure(.invalidArgument, "url: expected a URL, got \(got)")
    }
    try RedisLayout.checkPrefix(options.prefix)
    let address = try RedisAddress(Bytes(start: url, count: strlen(url)))
    let pool = PoolSettings(
        name: address.name, limit: options.connections, timeoutMilliseconds: options.timeout, hasOneWriter: false)
    let settings = RedisConnection.Settings(
        address: address, server: address.isCluster ? nil : address.places.first.map { RedisNode($0) },
        cluster: address.isCluster ? RedisCluster(address.places, isStrict: address.tls != nil) : nil,
        tls: try address.tls.map(RedisTLS.init),
        prefix: options.prefix, timeout: options.timeout,
        connectTimeout: options.connectTimeout ?? options.timeout, expireDays: options.expireDays,
        allowsEviction: options.allowsEviction)
    return try PooledStore<RedisConnection>(pool, settings, report: report)
}

import CSKAN
import SKANCompanionLibrary
import SKANCore
import SKANFace
import SKANRedisRecords
import SKANStoreLibrary
import SKANStorePool
import SKANSystem

@_cdecl("skan_redis_store_open")
@implementation
public func skan_redis_store_open(
    _ url: TextIn, _ options: UnsafePointer<skan_redis_options>?,
    _ out: UnsafeMutablePointer<skan_store>?, _ error: ErrorOut
) -> skan_status {
    openingStore(out, error) { () throws(Failure) in
        let given = try SizedStruct("options", skan_redis_options()).read(options)
        return try openRedis(url, try RedisOptions(given), report: reporter(given.report, given.report_context))
    }
}

@_cdecl("skan_redis_store_close")
@implementation
public func skan_redis_store_close(_ store: UnsafeMutablePointer<skan_store>?) {
    store?.close()
}

extension RedisOptions {
    /// Converts the C options. Zeros stand for the defaults.
    fileprivate init(_ given: skan_redis_options) throws(Failure) {
        self.init()
        try checkOption("timeout_ms", given.timeout_ms, atMost: StoreLimits.timeout)
        try checkOption("connect_timeout_ms", given.connect_timeout_ms, atMost: StoreLimits.timeout)
        try checkOption("max_connections", given.max_connections, atMost: StoreLimits.connections)
        try checkOption(
            "expire_days_after_close", given.expire_days_after_close, atMost: RedisOptions.greatestExpireDays)
        try checkOption("allow_eviction", given.allow_eviction, atMost: 1)
        try checkOption("reserved", given.reserved, atMost: 0)
        if let prefix = given.prefix { self.prefix = Message(prefix).utf8 }
        if given.timeout_ms != 0 { timeout = given.timeout_ms }
        if given.connect_timeout_ms != 0 { connectTimeout = given.connect_timeout_ms }
        if given.max_connections != 0 { connections = given.max_connections }
        expireDays = given.expire_days_after_close
        allowsEviction = given.allow_eviction == 1
    }
}

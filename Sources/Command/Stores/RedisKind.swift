import SKANCommandOutput
import SKANCore
import SKANRedisRecords
import SKANStorePool
import SKANSystem

extension StoreKind {
    /// Redis and Valkey servers, with URLs such as "redis://cache.internal", and other schemes for TLS, clusters and
    /// Unix sockets.
    static var redis: StoreKind {
        let help = StoreHelp(
            form: "redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE]",
            text: """
                A Redis or Valkey server. redis+unix://PATH is its Unix socket; \
                redis+cluster://HOST[:PORT],HOST[:PORT]... a cluster, by any of its nodes. rediss:// and \
                rediss+cluster:// use TLS; ?cacert=, cert=, key= and sni= at the end of the URL are as the \
                options of redis-cli.
                """)
        return StoreKind(.redis, help) { url, use, report throws(StoreRefusal) in
            var options = RedisOptions()
            // Records can be read and changed even on a server that may evict some.
            options.allowsEviction = use != .fills && use != .tries
            do throws(Failure) {
                return try url.characters.withUnsafeBufferPointer { url throws(Failure) in
                    try openRedis(url.baseAddress, options, report: report)
                }
            } catch {
                throw StoreRefusal(error.message, .found)
            }
        }
    }
}

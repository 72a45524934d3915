internal import SKANCommandOutput
internal import SKANCore
internal import SKANPostgresRecords
internal import SKANRedisRecords
internal import SKANStorePool
internal import SKANSystem

extension StoreKind {
    /// The kinds of stores that the command opens; no other place lists them. A test puts its own in their place before
    /// it opens any.
    package nonisolated(unsafe) static var known: [StoreKind] = [.sqlite, .postgres, .redis]

    static var postgres: StoreKind {
        StoreKind(.postgres) { url, use, report throws(StoreRefusal) in
            var options = PostgresOptions()
            options.createsTable = use == .fills
            options.needsTable = use != .tries
            do throws(Failure) {
                return try openPostgres(url, options, report: report)
            } catch {
                throw StoreRefusal(error.message, .found)
            }
        }
    }

    static var redis: StoreKind {
        StoreKind(.redis) { url, use, report throws(StoreRefusal) in
            var options = RedisOptions()
            // A server that drops records is no reason not to look at those it has.
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

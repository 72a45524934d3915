import CSKAN
import SKANCompanionLibrary
import SKANCore
import SKANFace
import SKANSQLiteRecords
import SKANStoreLibrary
import SKANStorePool
import SKANSystem

@_cdecl("skan_sqlite_store_open")
@implementation
public func skan_sqlite_store_open(
    _ path: TextIn, _ options: UnsafePointer<skan_sqlite_options>?,
    _ out: UnsafeMutablePointer<skan_store>?, _ error: ErrorOut
) -> skan_status {
    openingStore(out, error) { () throws(Failure) in
        let path = try DatabaseFile.check(path)
        let given = try SizedStruct("options", skan_sqlite_options()).read(options)
        return try openSQLite(path, try SQLiteOptions(given), report: reporter(given.report, given.report_context))
    }
}

@_cdecl("skan_sqlite_store_close")
@implementation
public func skan_sqlite_store_close(_ store: UnsafeMutablePointer<skan_store>?) {
    store?.close()
}

extension SQLiteOptions {
    /// Converts the C options. Zeros stand for the defaults.
    fileprivate init(_ given: skan_sqlite_options) throws(Failure) {
        self.init()
        let isFull = given.synchronous == Int32(bitPattern: SKAN_SQLITE_FULL.rawValue)
        guard isFull || given.synchronous == Int32(bitPattern: SKAN_SQLITE_NORMAL.rawValue) else {
            throw Failure(.invalidArgument, "options.synchronous: expected 0 or 1, got \(given.synchronous)")
        }
        try checkOption("busy_timeout_ms", given.busy_timeout_ms, atMost: StoreLimits.timeout)
        try checkOption("max_connections", given.max_connections, atMost: StoreLimits.connections)
        try checkOption("reserved", given.reserved, atMost: 0)
        self.isFull = isFull
        if given.busy_timeout_ms != 0 { busyTimeout = given.busy_timeout_ms }
        if given.max_connections != 0 { connections = given.max_connections }
    }
}

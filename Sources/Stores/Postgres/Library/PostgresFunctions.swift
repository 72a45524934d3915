import CSKAN
import SKANCompanionLibrary
import SKANCore
import SKANFace
import SKANPostgresRecords
import SKANStoreLibrary
import SKANStorePool
import SKANSystem

@_cdecl("skan_postgres_store_open")
@implementation
public func skan_postgres_store_open(
    _ url: TextIn, _ options: UnsafePointer<skan_postgres_options>?,
    _ out: UnsafeMutablePointer<skan_store>?, _ error: ErrorOut
) -> skan_status {
    openingStore(out, error) { () throws(Failure) in
        let url = try PostgresAddress.check(url)
        let given = try SizedStruct("options", skan_postgres_options()).read(options)
        return try openPostgres(url, try PostgresOptions(given), report: reporter(given.report, given.report_context))
    }
}

@_cdecl("skan_postgres_store_close")
@implementation
public func skan_postgres_store_close(_ store: UnsafeMutablePointer<skan_store>?) {
    store?.close()
}

extension PostgresOptions {
    /// Converts the C options. Zeros stand for the defaults.
    fileprivate init(_ given: skan_postgres_options) throws(Failure) {
        self.init()
        try checkOption("timeout_ms", given.timeout_ms, atMost: StoreLimits.timeout)
        try checkOption("max_connections", given.max_connections, atMost: StoreLimits.connections)
        try checkOption("create_table", given.create_table, atMost: 1)
        try checkOption("pooled", given.pooled, atMost: 1)
        if given.timeout_ms != 0 { timeout = given.timeout_ms }
        if given.max_connections != 0 { connections = given.max_connections }
        createsTable = given.create_table == 1
        isPooled = given.pooled == 1
        if let name = given.table { table = CText(copying: name) }
    }
}

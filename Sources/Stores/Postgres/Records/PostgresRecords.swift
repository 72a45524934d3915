internal import CSKANPQ
package import SKANCore
package import SKANStorePool
package import SKANSystem

/// Opens the store in a table: reaches the server, and looks at the table.
@export(interface)
package func openPostgres(
    _ url: CText, _ options: PostgresOptions, report: ((Failure) -> Void)?
) throws(Failure) -> RecordStore {
    guard PQisthreadsafe() != 0 else { throw Failure(.store, "open: this libpq was built without threads") }
    let address = try PostgresAddress(url)
    let settings = PostgresSettings(address: address, table: try RecordTable(options.table.utf8), options)
    let pool = PoolSettings(
        name: address.name, limit: options.connections, timeoutMilliseconds: options.timeout, hasOneWriter: false)
    return try PooledStore<PostgresConnection>(pool, settings, report: report)
}

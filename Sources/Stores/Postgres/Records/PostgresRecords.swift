internal import CSKANPQ
package import SKANCore
package import SKANStorePool
package import SKANSystem

package typealias PostgresRecords = PooledStore<PostgresConnection>

/// Opens the store in a table: reaches the server, and looks at the table.
package func openPostgres(
    _ url: CText, _ options: PostgresOptions, report: ((Failure) -> Void)?
) throws(Failure) -> PostgresRecords {
    guard PQisthreadsafe() != 0 else { throw Failure(.store, "open: this libpq was built without threads") }
    let address = try PostgresAddress(url)
    let settings = PostgresSettings(address: address, table: try RecordTable(options.table.utf8), options)
    let pool = PoolSettings(
        name: address.name, limit: options.connections, timeoutMilliseconds: options.timeout, hasOneWriter: false)
    return try PostgresRecords(pool, settings, report: report)
}

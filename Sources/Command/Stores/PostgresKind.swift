import SKANCommandOutput
import SKANCore
import SKANPostgresRecords
import SKANStorePool
import SKANSystem

extension StoreKind {
    /// PostgreSQL databases, with URLs such as "postgresql://game@db.internal/game", or any other that libpq accepts.
    static var postgres: StoreKind {
        let help = StoreHelp(
            form: "postgresql://...",
            text: """
                The table skan_records of a PostgreSQL database, by a URL of libpq's; with ?pooled=1 or &pooled=1 \
                behind a connection pooler that lends a server for one transaction.
                """)
        return StoreKind(.postgres, help) { url, use, report throws(StoreRefusal) in
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
}

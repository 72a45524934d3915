internal import SKANCore
package import SKANStorePool
package import SKANSystem

extension StoreDescription {
    package static var postgres: StoreDescription {
        StoreDescription(
            schemes: ["postgresql://", "postgres://"], timeout: 5000, connections: 8, listsEachKeyOnce: true)
    }
}

package struct PostgresOptions {
    /// The table, "table" or "schema.table", with the names as the catalog spells them.
    package var table = CText(("skan_records" as Message).utf8)
    /// The time-out of a whole call, in milliseconds.
    package var timeout = StoreDescription.postgres.timeout
    package var connections = StoreDescription.postgres.connections
    package var createsTable = false
    /// Whether a missing table is an error.
    package var needsTable = true
    /// Whether a connection pooler lends the sessions, so that nothing may be stored in one. The URL can say so, too.
    package var isPooled = false

    package init() {}
}

/// The settings that all connections of a store share.
package final class PostgresSettings: Sendable {
    let address: PostgresAddress
    let table: RecordTable
    /// The time-out of a whole call, in milliseconds.
    let timeout: UInt32
    let isPooled: Bool
    let createsTable, needsTable: Bool

    init(address: PostgresAddress, table: RecordTable, _ options: PostgresOptions) {
        self.address = address
        self.table = table
        timeout = options.timeout
        isPooled = options.isPooled || address.isPooled
        createsTable = options.createsTable
        needsTable = options.needsTable
    }

    /// A failure whose message begins with the database's name.
    func failure(_ status: Status, _ message: Message) -> Failure {
        Failure(status, "\(address.name): \(message)")
    }
}

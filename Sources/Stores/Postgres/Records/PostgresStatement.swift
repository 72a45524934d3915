internal import CSKANPQ
internal import SKANCore
internal import SKANSystem

/// The statements of a store. Their parameters are: $1 key (for `loadMany` an array of keys), $2 new version, $3
/// record, $4 expected version. For `remove`, $2 is the expected version. For listings, $1 is the first key, and $3 the
/// key before which the listing ends.
enum PostgresStatement: Int, CaseIterable {
    case load, loadMany, insert, update, remove, list, listBelow

    /// The number of keys in a page; the SQL of `list` has the same number.
    static var pageKeys: Int32 { 1024 }

    func sql(_ table: Message) -> Message {
        switch self {
        case .load: "SELECT version, record FROM \(table) WHERE key = $1"
        case .loadMany: "SELECT version, record, key FROM \(table) WHERE key = ANY ($1)"
        case .insert:
            "INSERT INTO \(table) (key, version, record) VALUES ($1, $2, $3) ON CONFLICT (key) DO NOTHING"
        case .update: "UPDATE \(table) SET version = $2, record = $3 WHERE key = $1 AND version = $4"
        case .remove: "DELETE FROM \(table) WHERE key = $1 AND version = $2"
        case .list:
            "SELECT key FROM \(table) WHERE key >= $1 AND octet_length(key) <= 128 ORDER BY key LIMIT 1024"
        case .listBelow:
            "SELECT key FROM \(table) WHERE key >= $1 AND key < $3 AND octet_length(key) <= 128 ORDER BY key LIMIT 1024"
        }
    }

    /// The types of the statement's parameters. There is only one array literal, because Embedded Swift confuses
    /// constant arrays within one function when modules are linked together.
    var types: [Oid] {
        let first = self == .loadMany ? ColumnType.arrayOfBytes : ColumnType.bytes
        return [Oid]([first, ColumnType.number, ColumnType.bytes, ColumnType.number].prefix(parameterCount))
    }

    private var parameterCount: Int {
        switch self {
        case .load, .list, .loadMany: 1
        case .remove: 2
        case .insert, .listBelow: 3
        case .update: 4
        }
    }
}

/// PostgreSQL's numbers (OIDs) of types.
enum ColumnType {
    /// The type bytea.
    static var bytes: Oid { 17 }
    /// The type bigint.
    static var number: Oid { 20 }
    /// The type bytea[].
    static var arrayOfBytes: Oid { 1001 }
}

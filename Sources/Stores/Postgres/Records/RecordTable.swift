internal import SKANCore
internal import SKANSystem

/// The table of a store, and the SQL statements on it.
struct RecordTable: Sendable {
    /// The table's name, quoted for SQL.
    let name: Message
    private let statements: PreparedTexts

    /// Creates the table from "table" or "schema.table", with the names as the catalog spells them.
    init(_ name: [UInt8]) throws(Failure) {
        let dot = UInt8(ascii: ".")
        let parts = name.split(separator: dot, maxSplits: 1, omittingEmptySubsequences: false)
        var quoted: [UInt8] = []
        for part in parts {
            guard RecordTable.isName(part), parts.count == 1 || !part.contains(dot) else {
                throw RecordTable.refused(name)
            }
            if !quoted.isEmpty { quoted.append(dot) }
            RecordTable.quote(part, &quoted)
        }
        let table = Message(utf8: quoted)
        self.name = table
        statements = PreparedTexts(table)
    }

    subscript(statement: PostgresStatement) -> PreparedText { statements[statement] }

    /// Whether PostgreSQL takes this name unchanged. It silently cuts off longer names.
    private static func isName(_ part: ArraySlice<UInt8>) -> Bool {
        1...63 ~= part.count && part.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    private static func quote(_ part: ArraySlice<UInt8>, _ quoted: inout [UInt8]) {
        let quote = UInt8(ascii: "\"")
        quoted.append(quote)
        for byte in part {
            if byte == quote { quoted.append(quote) }
            quoted.append(byte)
        }
        quoted.append(quote)
    }

    private static func refused(_ name: [UInt8]) -> Failure {
        let shown = Message(utf8: [UInt8](name.prefix(200)))
        let end: StaticString = name.count > 200 ? "..." : ""
        return Failure(
            .invalidArgument,
            "options.table: expected \"table\" or \"schema.table\", each of 1 to 63 bytes, got \"\(shown)\"\(end)")
    }
}

import SKANCore
import SKANSystem
import Testing

@testable import SKANPostgresRecords

/// The name of a table, and the statements on it.
struct RecordTableTests {
    private func quoted(_ name: String) throws -> String {
        String(decoding: try RecordTable(Array(name.utf8)).name.utf8, as: UTF8.self)
    }

    @Test(arguments: [
        ("skan_records", "\"skan_records\""),
        ("Game.Records", "\"Game\".\"Records\""),
        ("a\"b.c; DROP TABLE x", "\"a\"\"b\".\"c; DROP TABLE x\""),
        ("\u{E4}", "\"\u{E4}\""),
        (String(repeating: "x", count: 63), "\"" + String(repeating: "x", count: 63) + "\""),
    ])
    func aNameIsQuoted(_ name: String, _ expected: String) throws {
        #expect(try quoted(name) == expected)
    }

    @Test(arguments: ["", ".", "a.", ".a", "a.b.c", "a\nb", "a\u{7F}", String(repeating: "x", count: 64)])
    func whatIsNoNameIsRefused(_ name: String) {
        let failure = #expect(throws: Failure.self) { try RecordTable(Array(name.utf8)) }
        #expect(failure?.status == .invalidArgument)
        #expect(failure?.message.utf8.starts(with: "options.table: ".utf8) == true)
    }

    @Test(arguments: [(199, 199, ""), (200, 200, ""), (201, 200, "..."), (300, 200, "...")])
    func aRefusedNameIsShownInPart(_ length: Int, _ shown: Int, _ end: String) {
        let failure = #expect(throws: Failure.self) { try RecordTable(Array(repeating: 0x78, count: length)) }
        let message = String(decoding: failure?.message.utf8 ?? [], as: UTF8.self)
        #expect(message.hasSuffix("got \"\(String(repeating: "x", count: shown))\"\(end)"))
    }

    @Test
    func statementsOfTwoTablesHaveTwoNames() throws {
        let tables = try ["a", "b", "a.b"].map { try RecordTable(Array($0.utf8)) }
        let names = tables.flatMap { table in PostgresStatement.allCases.map { String(cString: table[$0].name) } }
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.utf8.count == 21 })
    }
}

import CSKANPQ
import SKANCore
import SKANStorePool
import SKANSystem
import Testing

@testable import SKANPostgresRecords

/// What a server may answer, also one that does not keep to the protocol: nothing that is not there is read.
struct ServerAnswerTests {
    private let settings: PostgresSettings

    init() throws {
        settings = PostgresSettings(
            address: try PostgresAddress(CText("host=h dbname=game".utf8)), table: try RecordTable(Array("t".utf8)),
            PostgresOptions())
    }

    /// Rows of so many columns; nil is NULL.
    private func answer(columns: Int, _ rows: [[[UInt8]?]]) throws -> ServerAnswer {
        let result = try #require(PQmakeEmptyPGresult(nil, PGRES_TUPLES_OK))
        var attributes = (0..<columns).map { _ in
            PGresAttDesc(
                name: UnsafeMutablePointer(mutating: StaticString("column").cString), tableid: 0, columnid: 0,
                format: 1, typid: ColumnType.bytes, typlen: -1, atttypmod: -1)
        }
        try #require(PQsetResultAttrs(result, Int32(columns), &attributes) != 0)
        for (row, values) in rows.enumerated() {
            for (column, value) in values.enumerated() {
                var bytes = (value ?? []).map { CChar(bitPattern: $0) }
                let length = value.map { Int32($0.count) } ?? -1
                try #require(PQsetvalue(result, Int32(row), Int32(column), &bytes, length) != 0)
            }
        }
        return ServerAnswer(result)
    }

    private let one: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]

    @Test
    func whatIsNotThereHasNoValue() throws {
        let rows = try answer(columns: 2, [[one, nil]])
        let number = rows.number(0, 0)
        #expect(number == 1)
        for (row, column) in [(0, 1), (0, 2), (1, 0), (-1, 0), (0, -1), (Int32.max, Int32.max)] as [(Int32, Int32)] {
            let isThere = rows.value(row, column) != nil
            #expect(!isThere, "\(row), \(column)")
        }
        let nothing = try answer(columns: 0, [])
        let says = [nothing.value(0, 0) != nil, nothing.changedOne, nothing.isCommit, nothing.isError, nothing.isCopy]
        #expect(says == [false, false, false, false, false])
    }

    /// Whether it is above 0 is asked of rows that a server has, by Tests/Trouble/Stores/postgres.c.
    @Test(arguments: [[], [0, 0, 0, 1], Array(repeating: 1, count: 9)] as [[UInt8]])
    func aVersionHasEightBytes(_ version: [UInt8]) throws {
        let rows = try answer(columns: 2, [[version, [0x78]]])
        let found = failure(rows, 0)
        #expect(found?.status == .store)
        #expect(text(found) == "postgres://h/game: load: expected a version of 8 bytes and a record, got 2 columns")
    }

    @Test
    func aRecordIsThere() throws {
        let null = failure(try answer(columns: 2, [[one, nil]]), 0)
        #expect(text(null).hasSuffix("got 2 columns"))
        let narrow = failure(try answer(columns: 1, [[one]]), 0)
        #expect(text(narrow).hasSuffix("got 1 columns"))
    }

    /// The statuses of loads of "a" and "b", and what is reported.
    private func load(_ rows: consuming ServerAnswer) -> ([Status], Failure?) {
        let keys = StaticString("ab").bytes
        let items = UnsafeMutableBufferPointer<LoadItem>.allocate(capacity: 2)
        defer { items.deallocate() }
        for index in 0..<2 {
            items.initializeElement(at: index, to: LoadItem(key: Bytes(rebasing: keys[index...index])))
        }
        var found: Failure?
        do throws(Failure) {
            try ManyLoads(items).takeRows(rows, settings) { _, _ in true }
        } catch {
            found = error
        }
        return (items.map { $0.status }, found)
    }

    @Test
    func rowsThatNobodyAskedForSpoilAll() throws {
        let all = [
            load(try answer(columns: 2, [[one, [1]]])),
            load(try answer(columns: 3, [[one, [1], [0x61]], [one, [1], [0x63]]])),
            load(try answer(columns: 3, [[one, [1], [0x61, 0]]])),
            load(try answer(columns: 3, [[one, [1], nil]])),
            load(try answer(columns: 3, [[one, [1], []]])),
        ]
        for (statuses, failure) in all {
            #expect(statuses == [.store, .store])
            #expect(text(failure) == "postgres://h/game: load: the server returned a row that was not asked for")
        }
    }

    /// Why a row shows no record.
    private func failure(_ rows: borrowing ServerAnswer, _ row: Int32) -> Failure? {
        do throws(Failure) { try rows.showRecord(row, settings) { _, _ in true } } catch { return error }
        return nil
    }

    private func text(_ failure: Failure?) -> String {
        String(decoding: failure?.message.utf8 ?? [], as: UTF8.self)
    }
}

internal import CSKANPQ
internal import SKANCore
internal import SKANSystem

private var columns: StaticString {
    "(key bytea NOT NULL PRIMARY KEY, version bigint NOT NULL, record bytea NOT NULL)"
}

/// The form of the table that this store knows. Each new form adds a column form_N to the table, by which older
/// programs recognise that the table is newer.
private var knownForm: Int { 1 }

extension PostgresSession {
    /// Checks that the table fits this store, in a session that was just opened. The first session of a store also
    /// creates a missing table, if it may, and checks the index.
    func checkTable(isFirst: Bool, until deadline: Int64) throws(Failure) {
        let rows: ServerAnswer?
        do throws(ServerTrouble) {
            rows = try look(mayMake: isFirst && settings.createsTable, until: deadline)
        } catch {
            throw Failure(.store, error.message)
        }
        guard let rows else { return }
        try checkForm(rows)
        try checkColumn(rows, "key", ColumnType.bytes)
        try checkColumn(rows, "version", ColumnType.number)
        try checkColumn(rows, "record", ColumnType.bytes)
        if isFirst { try checkIndex(until: deadline) }
    }

    // MARK: Being there

    /// Returns the columns of the table; nil if the table is missing and need not exist.
    private func look(mayMake: Bool, until deadline: Int64) throws(ServerTrouble) -> ServerAnswer? {
        let table = settings.table.name
        do throws(ServerTrouble) {
            return try askForColumns(until: deadline)
        } catch {
            guard error.kind == .refused && error.state.isOf("42P01") else { throw error }
            if mayMake { return try make(until: deadline) }
            if !settings.needsTable { return nil }
            throw ServerTrouble(
                kind: .refused,
                message: "\(error.message); set options.create_table, or: CREATE TABLE \(table) \(columns)")
        }
    }

    private func askForColumns(until deadline: Int64) throws(ServerTrouble) -> ServerAnswer {
        try ask("SELECT * FROM \(settings.table.name) LIMIT 0", "open", until: deadline)
    }

    /// Creates the table. If others create it at the same moment, errors of several kinds can result, so all that
    /// counts is whether the table exists afterwards.
    private func make(until deadline: Int64) throws(ServerTrouble) -> ServerAnswer {
        do throws(ServerTrouble) {
            _ = try ask(
                "CREATE TABLE IF NOT EXISTS \(settings.table.name) \(columns)", "create table", until: deadline)
        } catch let refused {
            guard refused.kind == .refused || refused.kind == .again else { throw refused }
            do throws(ServerTrouble) {
                return try askForColumns(until: deadline)
            } catch {
                throw ServerTrouble(kind: error.kind, message: refused.message)
            }
        }
        return try askForColumns(until: deadline)
    }

    // MARK: Its shape

    private func checkForm(_ rows: borrowing ServerAnswer) throws(Failure) {
        var form = knownForm
        for column in 0..<rows.columns { form = max(form, formNumber(rows.name(column)) ?? 0) }
        guard form == knownForm else {
            throw settings.failure(
                .recordTooNew,
                """
                table \(settings.table.name) was made by a newer libskan-postgres (form \(form); this one knows \
                \(knownForm))
                """
            )
        }
    }

    private func checkColumn(_ rows: borrowing ServerAnswer, _ name: StaticString, _ type: Oid) throws(Failure) {
        var found: Oid?
        for column in 0..<rows.columns where rows.name(column).elementsEqual(name.bytes) {
            found = rows.type(column)
        }
        guard let found else { throw anotherShape("found no column \(name)") }
        guard found == type else { throw anotherShape("found a column \(name) of type \(found), not \(type)") }
    }

    /// Checks that the table has the index that ON CONFLICT needs, by planning an insert. If the role may not insert,
    /// the error comes later, when it inserts.
    private func checkIndex(until deadline: Int64) throws(Failure) {
        let sql: Message =
            """
            EXPLAIN INSERT INTO \(settings.table.name) (key, version, record) VALUES ('', 1, '') ON CONFLICT (key) DO \
            NOTHING
            """
        do throws(ServerTrouble) {
            _ = try ask(sql, "open", until: deadline)
        } catch {
            guard error.kind == .refused else { throw Failure(.store, error.message) }
            if error.state.isOf("42P10") { throw anotherShape("found no unique index on key alone") }
        }
    }

    private func anotherShape(_ what: Message) -> Failure {
        settings.failure(.store, "table \(settings.table.name) has another shape: expected \(columns), \(what)")
    }
}

/// The number N of a column that is named form_N, at most a million; nil for any other name.
private func formNumber(_ name: [UInt8]) -> Int? {
    let mark = StaticString("form_").bytes
    let digits = name.dropFirst(mark.count)
    guard name.starts(with: mark), !digits.isEmpty else { return nil }
    var number = 0
    for digit in digits {
        guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
        number = min(number * 10 + Int(digit - UInt8(ascii: "0")), 1_000_000)
    }
    return number
}

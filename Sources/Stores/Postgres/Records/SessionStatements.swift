internal import CSKANPQ
internal import SKANCore
internal import SKANSystem

extension PostgresSession {
    /// Runs one SQL text without parameters.
    func ask(_ sql: Message, _ doing: StaticString, until deadline: Int64) throws(ServerTrouble) -> ServerAnswer {
        guard send(sql) else { throw broken(doing) }
        return try answer(doing, until: deadline)
    }

    /// Runs a statement with its parameters, in a transaction of its own.
    func run(
        _ statement: PostgresStatement, _ parameters: StatementParameters, _ doing: StaticString,
        until deadline: Int64
    ) throws(ServerTrouble) -> ServerAnswer {
        try prepare(statement, doing, until: deadline)
        guard send(statement, parameters) else { throw broken(doing) }
        return try answer(doing, until: deadline)
    }

    // MARK: In parts, for many statements in one round trip

    func prepare(
        _ statement: PostgresStatement, _ doing: StaticString, until deadline: Int64
    ) throws(ServerTrouble) {
        if settings.isPooled || isPrepared[statement.rawValue] { return }
        let text = settings.table[statement]
        do throws(ServerTrouble) {
            guard
                PQsendPrepare(link, text.name, text.sql, text.parameters, text.types) != 0
            else { throw broken(doing) }
            _ = try answer(doing, until: deadline)
        } catch {
            throw error.beforehand
        }
        isPrepared[statement.rawValue] = true
    }

    /// Returns false if libpq does not take the statement.
    func send(_ sql: Message) -> Bool {
        PQsendQueryParams(link, CText(sql.utf8).characters, 0, nil, nil, nil, nil, 1) != 0
    }

    func send(_ statement: PostgresStatement, _ parameters: StatementParameters) -> Bool {
        let text = settings.table[statement]
        return parameters.withPointers { values, lengths, formats in
            settings.isPooled
                ? PQsendQueryParams(link, text.sql, text.parameters, text.types, values, lengths, formats, 1) != 0
                : PQsendQueryPrepared(link, text.name, text.parameters, values, lengths, formats, 1) != 0
        }
    }

    /// Returns the answer to the statement that was sent. A change is certain only once its own result has come and the
    /// server has reported that it is ready again, after which libpq returns NULL.
    private func answer(_ doing: StaticString, until deadline: Int64) throws(ServerTrouble) -> ServerAnswer {
        var kept: ServerAnswer?
        var found: ServerTrouble?
        do throws(ServerTrouble) {
            while let next = try next(doing, until: deadline) {
                if let trouble = judge(next, doing), found?.kind != .unknown { found = trouble }
                let isCopy = next.isCopy
                kept = consume next
                if isCopy { break }
            }
        } catch {
            if found?.kind != .unknown { found = error }
        }
        let doubt = doubt(doing)
        if let found = found ?? doubt { throw found }
        guard let kept else {
            isDying = true
            throw trouble(.unknown, doing, "no answer")
        }
        guard PQstatus(link) == CONNECTION_OK else { throw broken(doing) }
        return kept
    }
}

internal import CSKANPQ
internal import SKANCore
internal import SKANStorePool
internal import SKANSystem

/// Saves many records in one round trip and one transaction. Records are saved in the order of their keys, so that of
/// two concurrent batches one waits for the other, without a deadlock.
struct ManySaves {
    private let items: UnsafeMutableBufferPointer<SaveItem>
    /// The indices of the items that are sent, sorted by key.
    private let sorted: [Int]
    /// The new versions of the items that are sent, in the order of `sorted`.
    private let versions: [UInt64]

    init(_ items: UnsafeMutableBufferPointer<SaveItem>) throws(Failure) {
        self.items = items
        for index in items.indices { items[index].status = .storeConflict }
        sorted = KeyOrder(items.map { $0.key }).places.filter { items[$0].expected <= greatestVersion }
        var versions: [UInt64] = []
        for index in sorted { versions.append(try drawVersion(otherThan: items[index].expected)) }
        self.versions = versions
    }

    var isEmpty: Bool { sorted.isEmpty }

    func run(_ session: PostgresSession, until deadline: Int64) throws(ServerTrouble) {
        for statement in [PostgresStatement.insert, .update]
        where sorted.contains(where: { self.statement(of: items[$0]) == statement }) {
            try session.prepare(statement, "save", until: deadline)
        }
        var pipeline = try Pipeline(session, "save", until: deadline)
        try pipeline.send("BEGIN")
        for (index, version) in zip(sorted, versions) {
            let item = items[index]
            let given = StatementParameters(
                key: item.key, version: version, record: item.record, expected: item.expected)
            try pipeline.send(statement(of: item), given)
        }
        try pipeline.commit()
        var isCommitted = false
        do throws(ServerTrouble) {
            try pipeline.takeAnswers { isCommitted = take($0, $1) || isCommitted }
        } catch {
            session.rollBack(until: deadline)
            throw error
        }
        guard isCommitted else {
            throw session.trouble(.refused, "save", "the server rolled the batch back")
        }
    }

    private func statement(of item: SaveItem) -> PostgresStatement { item.expected == 0 ? .insert : .update }

    /// Takes the answer to one statement: BEGIN, the save of an item, or COMMIT. Returns true only for the answer to a
    /// COMMIT that succeeded.
    private func take(_ number: Int, _ answer: borrowing ServerAnswer) -> Bool {
        guard sorted.indices.contains(number - 1) else { return number == sorted.count + 1 && answer.isCommit }
        let index = sorted[number - 1]
        items[index].status = answer.changedOne ? .ok : .storeConflict
        items[index].version = answer.changedOne ? versions[number - 1] : 0
        return false
    }
}

extension PostgresSession {
    /// Rolls back the transaction that a refused statement left open.
    fileprivate func rollBack(until deadline: Int64) {
        guard isFit && PQtransactionStatus(link) != PQTRANS_IDLE else { return }
        do throws(ServerTrouble) {
            _ = try ask("ROLLBACK", "save", until: deadline)
        } catch {
            isDying = true
        }
    }
}

internal import CSKANPQ
internal import SKANCore
internal import SKANSystem

/// Sends many statements in one round trip, in libpq's pipeline mode. Each is the statement that a single call would
/// send, so its answer is also the same, on every engine that speaks PostgreSQL's protocol.
struct Pipeline {
    private let session: PostgresSession
    private let doing: StaticString
    private let deadline: Int64
    /// The number of bytes passed to libpq since it last had to send.
    private var held = 0

    /// The number of bytes after which libpq has to send. Otherwise libpq would collect everything in one buffer, and
    /// move the remaining bytes whenever the server takes some.
    private var mostHeld: Int { 65_536 }

    init(_ session: PostgresSession, _ doing: StaticString, until deadline: Int64) throws(ServerTrouble) {
        self.session = session
        self.doing = doing
        self.deadline = deadline
        if PQenterPipelineMode(session.link) != 0 { return }
        session.isDying = true
        throw session.trouble(.unreached, doing, "no pipeline")
    }

    // MARK: Sending: the server rolls back what it is never told to commit

    func send(_ sql: Message) throws(ServerTrouble) {
        guard session.send(sql) else { throw unsent() }
    }

    mutating func send(_ statement: PostgresStatement, _ parameters: StatementParameters) throws(ServerTrouble) {
        guard session.send(statement, parameters) else { throw unsent() }
        held += parameters.key.count + parameters.record.count
        if held < mostHeld { return }
        held = 0
        do throws(ServerTrouble) { try session.flush(doing, until: deadline) } catch {
            _ = unsent()
            throw error.beforehand
        }
    }

    /// Sends the COMMIT. From here on, the changes that were sent may be applied.
    func commit() throws(ServerTrouble) {
        guard session.send("COMMIT"), PQpipelineSync(session.link) != 0 else {
            let trouble = unsent()
            throw ServerTrouble(kind: .unknown, message: trouble.message)
        }
    }

    private func unsent() -> ServerTrouble {
        session.isDying = true
        return session.trouble(.unreached, doing, "cannot be sent")
    }

    // MARK: Reading

    /// Passes the answers of statements that succeeded to `take`, with the statements' numbers, counted from 0.
    ///
    /// Throws the first error, because later ones only result from it. But a later error is thrown instead if it leaves
    /// open what was applied, or if the session was lost with it before the last answer.
    func takeAnswers(_ take: (Int, borrowing ServerAnswer) -> Void) throws(ServerTrouble) {
        var found: ServerTrouble?
        var number = 0
        var hasEnded = false  // whether the last result was the NULL after an answer; a second NULL means an error
        do throws(ServerTrouble) {
            while true {
                guard let answer = try session.next(doing, until: deadline) else {
                    if hasEnded { throw endedEarly() }
                    hasEnded = true
                    number += 1
                    continue
                }
                hasEnded = false
                if answer.status == PGRES_PIPELINE_SYNC { break }
                if let trouble = session.judge(answer, doing) {
                    if trouble.isOfSession { throw trouble }
                    if found == nil || !trouble.isHarmless { found = trouble }
                } else {
                    take(number, answer)
                }
            }
        } catch {
            found = error
        }
        if PQexitPipelineMode(session.link) == 0 { session.isDying = true }
        let doubt = session.doubt(doing)
        if let found = found ?? doubt { throw found }
    }

    private func endedEarly() -> ServerTrouble {
        session.isDying = true
        return session.trouble(.unknown, doing, "the answer ended in its middle")
    }
}

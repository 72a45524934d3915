internal import SKANCore
internal import SKANSystem

extension RedisConnection {
    /// Asks with one command that changes nothing; `answer` is given what the server says.
    func ask(
        _ doing: StaticString, _ write: (inout RedisCommands) -> Void, _ answer: (RedisReply) throws(Failure) -> Void
    ) throws(Failure) {
        var progress = RedisProgress(count: 1)
        var failed = FirstFailure()
        do throws(RedisTrouble) {
            try run(&progress, reads: true) { _, out in
                write(&out)
            } _: { _, reply in
                do throws(Failure) { try answer(reply) } catch { failed.note(error) }
            }
        } catch {
            failed.note(failure(.store, doing, error.words))
        }
        try failed.throwIfAny()
    }
}

internal import SKANCore
internal import SKANSystem

extension RedisConnection {
    /// Sends a node a command that changes nothing, and passes the reply to `answer`.
    func ask(
        _ node: RedisNode, _ doing: StaticString, _ write: (inout RedisCommands) -> Void,
        _ answer: (RedisReply) throws(Failure) -> Void
    ) throws(Failure) {
        var failed = FirstFailure()
        run([0], on: node, reads: true) { _, out in
            write(&out)
        } _: { _, _, reply in
            do throws(Failure) { try answer(reply) } catch { failed.note(error) }
        } _: { _, _, trouble in
            failed.note(
                failure(.store, doing, settings.cluster == nil ? trouble.words : "\(node.place.name): \(trouble.words)")
            )
        }
        try failed.throwIfAny()
    }

    /// The server, or the nodes of the cluster that have slots.
    var masters: [RedisNode] {
        if let server = settings.server { return [server] }
        return settings.cluster?.masters ?? []
    }
}

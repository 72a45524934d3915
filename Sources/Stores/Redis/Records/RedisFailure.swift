internal import SKANCore
internal import SKANSystem

extension RedisConnection {
    func failure(_ status: Status, _ doing: StaticString, _ words: Message) -> Failure {
        Failure(status, "\(settings.address.name): \(doing): \(words)")
    }

    func failure(_ status: Status, _ doing: StaticString, _ reply: RedisReply) -> Failure {
        failure(status, doing, reply.words(atMost: 511))
    }

    func tooLong(_ key: Bytes, _ doing: StaticString) -> Failure {
        failure(.store, doing, "a key of \(key.count) bytes; expected at most \(Limits.installIDBytes)")
    }

    /// Marks the connection as broken if the reply is an error that a new connection can avoid, because a new
    /// connection logs in again and may reach another server.
    func dropWhereStale(_ reply: RedisReply) {
        if reply.isError("NOAUTH ") || reply.isError("READONLY ") || reply.isError("LOADING ")
            || reply.isError("MASTERDOWN ")
        {
            isBroken = true
        }
    }
}

/// The first of many failures. Only this one is reported.
struct FirstFailure {
    private(set) var failure: Failure?

    /// Notes a failure, and returns its status.
    @discardableResult
    mutating func note(_ other: Failure) -> Status {
        if failure == nil { failure = other }
        return other.status
    }

    var isNone: Bool { failure == nil }

    func throwIfAny() throws(Failure) {
        if let failure { throw failure }
    }
}

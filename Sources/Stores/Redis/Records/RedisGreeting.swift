internal import SKANCore
internal import SKANSystem

/// The first commands on a new connection. Changes are sent only after the replies to these commands: a server with too
/// many connections refuses the first command, and a change that was already sent would be in doubt.
enum RedisGreeting {
    case user(RedisAddress)
    case database(UInt32)
    case knock

    static func steps(_ address: RedisAddress) -> [RedisGreeting] {
        var steps: [RedisGreeting] = []
        if address.user != nil || address.password != nil { steps.append(.user(address)) }
        if address.database > 0 { steps.append(.database(address.database)) }
        return steps.isEmpty ? [.knock] : steps
    }

    func write(to out: inout RedisCommands) {
        switch self {
        case .user(let address):
            out.begin(address.user == nil ? 2 : 3)
            out.add("AUTH")
            if let user = address.user { out.add(user) }
            if let password = address.password { out.add(password.bytes) } else { out.add("") }
        case .database(let database):
            out.begin(2)
            out.add("SELECT")
            out.add(UInt64(database))
        case .knock:
            out.begin(1)
            out.add("PING")
        }
    }

    /// The message for a refusal; nil if the reply is not a refusal.
    func refusal(_ reply: RedisReply) -> Message? {
        if reply.isStatus { return nil }
        switch self {
        case .user(let address): return "AUTH: \(words(reply, hiding: address.password))"
        case .database: return "SELECT: \(reply.words(atMost: 199))"
        // Other errors, for example that the user may not send PING, say nothing about the connection.
        case .knock: return reply.isError("ERR max number of clients") ? "connect: \(reply.words(atMost: 199))" : nil
        }
    }

    /// The text of a reply without the password, because a server or a proxy may repeat what it was sent, quoted or
    /// not.
    private func words(_ reply: RedisReply, hiding password: RedisPassword?) -> Message {
        guard let said = reply.error else { return reply.words(atMost: 199) }
        let unquoted = said.prefix { $0 != UInt8(ascii: "'") && $0 != UInt8(ascii: "`") && $0 != UInt8(ascii: "\"") }
        let part = Bytes(rebasing: unquoted)
        if let password, part.contains(password.bytes) { return "refused" }
        return RedisReply.words(part, atMost: 199)
    }
}

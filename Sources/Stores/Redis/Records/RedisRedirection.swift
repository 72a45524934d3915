internal import SKANCore
internal import SKANSystem

/// A redirection to another node: the reply "MOVED 3999 127.0.0.1:6381", or "ASK ...", which is for one command alone.
/// Valid while the reply is handled.
struct RedisRedirection {
    let isMoved: Bool
    let slot: Int
    /// The host; empty for the host of the node that answered.
    let host: Bytes
    let port: UInt32

    init?(_ reply: RedisReply) {
        guard let said = reply.error else { return nil }
        isMoved = said.hasPrefix("MOVED ")
        guard isMoved || said.hasPrefix("ASK ") else { return nil }
        let words = said.split(separator: UInt8(ascii: " "))
        guard words.count == 3, let slot = number(words[1], atMost: UInt32(RedisSlot.count - 1)),
            let colon = words[2].lastIndex(of: UInt8(ascii: ":")),
            let port = number(words[2][(colon + 1)...], atMost: 65_535), port > 0
        else { return nil }
        self.slot = Int(slot)
        self.port = port
        host = Bytes(rebasing: words[2][..<colon])
    }

    /// Whether the reply refuses a command because the cluster is changing. The command was not carried out and may be
    /// repeated.
    static func isTemporary(_ reply: RedisReply) -> Bool {
        reply.isError("TRYAGAIN ") || reply.isError("CLUSTERDOWN ") || reply.isError("LOADING ")
            || reply.isError("MASTERDOWN ")
    }
}

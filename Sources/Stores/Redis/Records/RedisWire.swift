internal import CSKANHiredis
internal import CSKANSystem
internal import SKANCore
internal import SKANSystem

/// A connection to a server: its bytes, and the replies that they are.
final class RedisWire {
    private static var largestReply: Int { 8 * 1024 * 1024 }

    private(set) var stream: RedisStream?
    private var reader: UnsafeMutablePointer<redisReader>?
    private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 * 1024, alignment: 16)

    deinit {
        close()
        room.deallocate()
    }

    var isConnected: Bool { stream != nil }

    /// Connects, where it is not: by `deadline` at the latest.
    func connect(_ place: RedisPlace, _ tls: RedisTLS?, by deadline: Int64) throws(RedisTrouble) {
        if isConnected { return }
        stream = try RedisStream(place, tls, by: deadline)
        reader = redisReaderCreate()
        if reader == nil {
            close()
            throw RedisTrouble("connect: out of memory")
        }
    }

    /// Ends the connection, if there is one.
    func close() {
        stream?.close()
        stream = nil
        if let reader { redisReaderFree(reader) }
        reader = nil
    }

    /// Whether a connection at rest is as it was left.
    var isQuiet: Bool { stream?.isQuiet ?? false }

    // MARK: Replies

    enum End {
        case none
        /// The server ended the connection.
        case ended
        case failed(Message)
    }

    /// Shows `take` the replies that are there, so many at most.
    func receive(_ most: Int, _ take: (RedisReply) -> Void) throws(RedisTrouble) -> End {
        guard let stream, let reader else { return .ended }
        var left = most
        repeat {
            switch stream.receive(room) {
            case .again: return .none
            case .ended: return .ended
            case .failed(let words): return .failed(words)
            case .bytes(let length):
                let bytes = room.baseAddress?.assumingMemoryBound(to: CChar.self)
                guard redisReaderFeed(reader, bytes, length) == REDIS_OK else {
                    throw RedisTrouble("an answer: \(words(of: reader))")
                }
                try takeReplies(reader, &left, take)
            }
        } while stream.hasPending
        return .none
    }

    private func takeReplies(
        _ reader: UnsafeMutablePointer<redisReader>, _ left: inout Int, _ take: (RedisReply) -> Void
    ) throws(RedisTrouble) {
        while left > 0 {
            var reply: UnsafeMutableRawPointer?
            guard redisReaderGetReply(reader, &reply) == REDIS_OK else {
                throw RedisTrouble("not an answer of a Redis server: \(words(of: reader))")
            }
            guard let found = RedisReply(reply) else { break }
            defer { freeReplyObject(reply) }
            take(found)
            left -= 1
        }
        if unread > RedisWire.largestReply {
            throw RedisTrouble("an answer of more than \(RedisWire.largestReply) bytes")
        }
    }

    static var tooManyAnswers: RedisTrouble { RedisTrouble("the server sent more answers than it was asked for") }

    /// Bytes of the server's that no reply has been made of yet.
    var unread: Int {
        guard let reader else { return 0 }
        return reader.pointee.len - reader.pointee.pos
    }

    /// What the server said before it ended the connection, if anything: it was asked for nothing.
    func lost(_ why: Message?) -> RedisTrouble {
        var words = why ?? "the server ended it"
        var reply: UnsafeMutableRawPointer?
        if let reader, redisReaderGetReply(reader, &reply) == REDIS_OK, let said = RedisReply(reply) {
            words = said.words(atMost: 255)
            freeReplyObject(reply)
        }
        return RedisTrouble("the connection was lost: \(words)")
    }

    private func words(of reader: UnsafeMutablePointer<redisReader>) -> Message {
        withUnsafeBytes(of: &reader.pointee.errstr) { Message(utf8: [UInt8]($0.prefix { $0 != 0 })) }
    }
}

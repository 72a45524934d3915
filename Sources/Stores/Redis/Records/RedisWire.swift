internal import CSKANHiredis
internal import CSKANSystem
internal import SKANCore
internal import SKANSystem

/// A connection to a server. It parses the received bytes as replies.
final class RedisWire {
    private static var largestReply: Int { 8 * 1024 * 1024 }

    private(set) var stream: RedisStream?
    private var reader: UnsafeMutablePointer<redisReader>?
    /// The functions by which the reader creates replies.
    private let functions = UnsafeMutablePointer<redisReplyObjectFunctions>.allocate(capacity: 1)
    /// The number of bytes received since the last complete reply. It is counted here because the reader drops bytes
    /// once they are part of an incomplete reply.
    private var sinceReply = 0
    private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 * 1024, alignment: 16)

    deinit {
        close()
        room.deallocate()
        functions.deallocate()
    }

    var isConnected: Bool { stream != nil }

    /// Connects by `deadline` at the latest. Does nothing if it is already connected.
    func connect(_ place: RedisPlace, _ tls: RedisTLS?, by deadline: Int64) throws(RedisTrouble) {
        if isConnected { return }
        stream = try RedisStream(place, tls, by: deadline)
        reader = redisReaderCreate()
        sinceReply = 0
        guard let reader else {
            close()
            throw RedisTrouble("connect: out of memory")
        }
        hiredis_limit_arrays(reader, functions)
    }

    func close() {
        stream?.close()
        stream = nil
        if let reader { redisReaderFree(reader) }
        reader = nil
    }

    var isQuiet: Bool { stream?.isQuiet ?? false }

    // MARK: Replies

    enum End {
        case none
        /// The server ended the connection.
        case ended
        case failed(Message)
    }

    /// Passes the replies that have arrived to `take`, at most `most` of them. If the server sends faster than its
    /// bytes are read, reads until the deadline and then throws.
    func receive(_ most: Int, until deadline: Int64, _ take: (RedisReply) -> Void) throws(RedisTrouble) -> End {
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
                sinceReply += length
                try takeReplies(reader, &left, take)
            }
            guard stream.hasPending else { return .none }
        } while millisecondsNow() < deadline
        throw RedisTrouble("no answer in time", isLate: true)
    }

    private func takeReplies(
        _ reader: UnsafeMutablePointer<redisReader>, _ left: inout Int, _ take: (RedisReply) -> Void
    ) throws(RedisTrouble) {
        while left > 0 {
            var reply: UnsafeMutableRawPointer?
            guard redisReaderGetReply(reader, &reply) == REDIS_OK else {
                // The reader can also report this error if an array exceeds its limit.
                throw reader.pointee.err == REDIS_ERR_OOM
                    ? RedisTrouble("out of memory, or an answer of more than \(hiredis_most_elements) elements")
                    : RedisTrouble("not an answer of a Redis server: \(words(of: reader))")
            }
            guard let found = RedisReply(reply) else { break }
            defer { freeReplyObject(reply) }
            take(found)
            left -= 1
            sinceReply = unread
        }
        if sinceReply > RedisWire.largestReply {
            throw RedisTrouble("an answer of more than \(RedisWire.largestReply) bytes")
        }
    }

    static var tooManyAnswers: RedisTrouble { RedisTrouble("the server sent more answers than it was asked for") }

    /// The number of received bytes that are not part of a reply yet.
    var unread: Int {
        guard let reader else { return 0 }
        return reader.pointee.len - reader.pointee.pos
    }

    /// The error for a lost connection. Its reason is what the server sent, unasked, before it closed the connection;
    /// if it sent nothing, the reason is `why`.
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

internal import CSKANHiredis
internal import CSKANSystem
internal import SKANCore
internal import SKANSystem

/// A connection to a server: commands out and replies in, many under way at once, by a deadline.
final class RedisWire {
    private static var largestReply: Int { 8 * 1024 * 1024 }

    private var socket: Int32 = -1
    private var reader: UnsafeMutablePointer<redisReader>?
    private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 * 1024, alignment: 16)

    deinit {
        close()
        room.deallocate()
    }

    var isConnected: Bool { socket >= 0 }

    /// Connects, where it is not: by `deadline` at the latest.
    func connect(_ place: RedisAddress.Place, by deadline: Int64) throws(RedisTrouble) {
        if isConnected { return }
        socket = try RedisSocket.connect(place, by: deadline)
        reader = redisReaderCreate()
        if reader == nil {
            close()
            throw RedisTrouble("connect: out of memory")
        }
    }

    /// Ends the connection, if there is one.
    func close() {
        if socket >= 0 { CSKANSystem.close(socket) }
        socket = -1
        if let reader { redisReaderFree(reader) }
        reader = nil
    }

    /// Whether a connection at rest is as it was left: the server has neither ended it nor said anything.
    var isQuiet: Bool {
        var byte: UInt8 = 0
        let flags = Int32(MSG_PEEK | MSG_DONTWAIT)
        return recv(socket, &byte, 1, flags) < 0 && systemError == EAGAIN
    }

    /// Sends the commands from `answered` on and takes their replies. Where it throws, the connection is not fit to go
    /// on with. Closes the connection if the server sent more than the replies to these commands, since the rest would
    /// be taken for the answers to the next ones.
    func exchange(
        _ progress: inout RedisProgress, until deadline: Int64, _ write: WriteCommand, _ take: TakeReply
    ) throws(RedisTrouble) {
        guard let reader else { throw RedisTrouble("it is not connected") }
        let first = progress.answered
        progress.sent = first
        var outbox = RedisOutbox(progress)
        var sendError: Int32 = 0
        while progress.answered < progress.count {
            if sendError == 0 {
                outbox.fill(progress.count, write)
                sendError = outbox.send(socket, &progress)
            }
            // A connection that takes no more may still hold replies, and what the server had to say.
            let hasMore = sendError == 0 && progress.sent < progress.count
            let events = RedisSocket.wait(
                socket, for: hasMore ? POLLIN | POLLOUT : POLLIN, until: sendError == 0 ? deadline : 0)
            var end = End.none
            if events & ~POLLOUT != 0 { end = try receive(reader, &progress, take) }
            let isAhead = progress.answered > first && progress.answered == progress.sent && unread(reader) > 0
            if progress.answered == progress.count {
                if isAhead { close() }
                return
            }
            if isAhead { throw RedisWire.tooManyAnswers }
            if case .error(let error) = end { throw lost(reader, error) }
            if case .ended = end { throw lost(reader, sendError) }
            if sendError != 0 && events == 0 { throw lost(reader, sendError) }
            if events == 0 || millisecondsNow() >= deadline { throw RedisTrouble("no answer in time", isLate: true) }
        }
    }

    // MARK: Replies

    private enum End {
        case none
        /// By the server.
        case ended
        case error(Int32)
    }

    private func receive(
        _ reader: UnsafeMutablePointer<redisReader>, _ progress: inout RedisProgress, _ take: TakeReply
    ) throws(RedisTrouble) -> End {
        let flags = Int32(MSG_DONTWAIT)
        var length = recv(socket, room.baseAddress, room.count, flags)
        var error = length < 0 ? systemError : 0
        // A Unix socket tells this before what it still holds.
        if error == ECONNRESET {
            length = recv(socket, room.baseAddress, room.count, flags)
            if length > 0 { error = 0 }
        }
        if error == EINTR || error == EAGAIN { return .none }
        if error != 0 { return .error(error) }
        if length == 0 { return .ended }
        let bytes = room.baseAddress?.assumingMemoryBound(to: CChar.self)
        guard redisReaderFeed(reader, bytes, length) == REDIS_OK else {
            throw RedisTrouble("an answer: \(words(of: reader))")
        }
        try takeReplies(reader, &progress, take)
        return .none
    }

    private func takeReplies(
        _ reader: UnsafeMutablePointer<redisReader>, _ progress: inout RedisProgress, _ take: TakeReply
    ) throws(RedisTrouble) {
        while progress.answered < progress.sent {
            var reply: UnsafeMutableRawPointer?
            guard redisReaderGetReply(reader, &reply) == REDIS_OK else {
                throw RedisTrouble("not an answer of a Redis server: \(words(of: reader))")
            }
            guard let found = RedisReply(reply) else { break }
            defer { freeReplyObject(reply) }
            take(progress.answered, found)
            progress.answered += 1
        }
        if unread(reader) > RedisWire.largestReply {
            throw RedisTrouble("an answer of more than \(RedisWire.largestReply) bytes")
        }
    }

    static var tooManyAnswers: RedisTrouble { RedisTrouble("the server sent more answers than it was asked for") }

    /// Bytes of the server's that no reply has been made of yet.
    private func unread(_ reader: UnsafeMutablePointer<redisReader>) -> Int {
        reader.pointee.len - reader.pointee.pos
    }

    /// What the server said before it ended the connection, if anything: it was asked for nothing.
    private func lost(_ reader: UnsafeMutablePointer<redisReader>, _ error: Int32) -> RedisTrouble {
        var words: Message = error == 0 ? "the server ended it" : Message(systemError: error)
        var reply: UnsafeMutableRawPointer?
        if redisReaderGetReply(reader, &reply) == REDIS_OK, let said = RedisReply(reply) {
            words = said.words(atMost: 255)
            freeReplyObject(reply)
        }
        return RedisTrouble("the connection was lost: \(words)")
    }

    private func words(of reader: UnsafeMutablePointer<redisReader>) -> Message {
        withUnsafeBytes(of: &reader.pointee.errstr) { Message(utf8: [UInt8]($0.prefix { $0 != 0 })) }
    }
}

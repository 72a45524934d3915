internal import CSKANHiredis
internal import SKANCore
internal import SKANSystem

/// A reply of the server. Counts, types and lengths are as the server sent them. Valid while the reply is handled.
struct RedisReply {
    private let reply: UnsafePointer<redisReply>

    init?(_ reply: UnsafeRawPointer?) {
        guard let reply else { return nil }
        self.reply = reply.assumingMemoryBound(to: redisReply.self)
    }

    private var text: Bytes { Bytes(start: reply.pointee.str, count: reply.pointee.str == nil ? 0 : reply.pointee.len) }
    private func text(of type: Int32) -> Bytes? { reply.pointee.type == type ? text : nil }

    var isStatus: Bool { reply.pointee.type == REDIS_REPLY_STATUS }
    var string: Bytes? { text(of: REDIS_REPLY_STRING) }
    var error: Bytes? { text(of: REDIS_REPLY_ERROR) }
    var integer: Int64? { reply.pointee.type == REDIS_REPLY_INTEGER ? reply.pointee.integer : nil }

    /// Nil if the reply is not an array.
    var count: Int? {
        guard reply.pointee.type == REDIS_REPLY_ARRAY else { return nil }
        return reply.pointee.element == nil ? 0 : reply.pointee.elements
    }

    /// Nil if there is no element at this index.
    subscript(_ index: Int) -> RedisReply? {
        guard let count, 0..<count ~= index, let elements = reply.pointee.element else { return nil }
        return RedisReply(elements[index])
    }

    func isError(_ beginning: StaticString) -> Bool { error?.hasPrefix(beginning) ?? false }

    /// The text of the reply for a message: one line of ASCII, without the arguments that some errors repeat.
    func words(atMost most: Int) -> Message {
        guard let said = error ?? text(of: REDIS_REPLY_STATUS) else {
            return "an answer of another type (\(reply.pointee.type))"
        }
        return RedisReply.words(said, atMost: most)
    }

    static func words(_ said: Bytes, atMost most: Int) -> Message {
        var part = said.prefix(most)
        if let arguments = Bytes(rebasing: part).firstIndex(of: ", with args") { part = part.prefix(arguments) }
        return Message(utf8: part.map { 0x20...0x7E ~= $0 ? $0 : UInt8(ascii: "?") })
    }
}

extension UnsafeRawBufferPointer {
    func hasPrefix(_ text: StaticString) -> Bool {
        starts(with: text.bytes)
    }

    /// The index at which `text` begins, ignoring case; nil if it does not occur. `text` must be given in lower case.
    func firstIndex(of text: StaticString) -> Int? {
        firstIndex(of: text.bytes) {
            0x41...0x5A ~= $0 ? $0 | 0x20 : $0
        }
    }

    func contains(_ text: UnsafeRawBufferPointer) -> Bool { firstIndex(of: text) { $0 } != nil }

    private func firstIndex(of text: UnsafeRawBufferPointer, _ seen: (UInt8) -> UInt8) -> Int? {
        guard count >= text.count else { return nil }
        return (0...count - text.count).first { start in
            text.indices.allSatisfy { seen(self[start + $0]) == text[$0] }
        }
    }
}

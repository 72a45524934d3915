import CSKANHiredis
import SKANCore
import Testing

@testable import SKANRedisRecords

/// What servers, and what stands in their place, may say.
struct RedisReplyTests {
    /// Shows a reply as hiredis reads it.
    private func withReply<Result>(_ text: String, _ body: (RedisReply) throws -> Result) throws -> Result {
        let reader = try #require(redisReaderCreate())
        defer { redisReaderFree(reader) }
        var reply: UnsafeMutableRawPointer?
        try #require(redisReaderFeed(reader, text, text.utf8.count) == REDIS_OK)
        try #require(redisReaderGetReply(reader, &reply) == REDIS_OK)
        defer { freeReplyObject(reply) }
        return try body(try #require(RedisReply(reply)))
    }

    private func words(_ text: String, atMost most: Int = 511) throws -> String {
        try withReply(text) { String(decoding: $0.words(atMost: most).utf8, as: UTF8.self) }
    }

    @Test func wordsAreOneLineOfASCII() throws {
        #expect(try words("-ERR something\r\n") == "ERR something")
        #expect(try words("+a\u{1}\u{7F}é\r\n") == "a????")
        #expect(try words("-0123456789\r\n", atMost: 4) == "0123")
        #expect(
            try words("-ERR unknown command 'x', With ARGS beginning with: 'secret'\r\n") == "ERR unknown command 'x'")
        for text in [":1\r\n", "$-1\r\n", "$1\r\nx\r\n", "*0\r\n", "*-1\r\n"] {
            #expect(try words(text).hasPrefix("an answer of another type ("))
        }
    }

    @Test func aReplyIsOfOneType() throws {
        try withReply(":7\r\n") { reply in
            #expect(reply.integer == 7)
            #expect(reply.string == nil && reply.error == nil && reply.count == nil && reply[0] == nil)
        }
        try withReply("*2\r\n$1\r\na\r\n*-1\r\n") { reply in
            #expect(reply.count == 2 && reply.integer == nil)
            #expect(reply[0]?.string?.elementsEqual([0x61]) == true)
            #expect(reply[1]?.count == nil)
            #expect(reply[2] == nil && reply[-1] == nil)
        }
        try withReply("$0\r\n\r\n") { #expect($0.string?.isEmpty == true) }
    }
}

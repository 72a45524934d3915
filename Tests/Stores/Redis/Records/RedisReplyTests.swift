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

    @Test(arguments: [
        ("-NOSCRIPT No\r\n", true), ("-OOM x\r\n", true), ("-OOMx\r\n", false), ("-ERR unknown command\r\n", true),
        ("-ERR other\r\n", false), ("-ERR Error running script (call to f_1): x\r\n", true),
        ("-ERR x script: 83465da4c39fc22c02f901c15ef006b54b648299, on @user\r\n", true), ("+OOM x\r\n", false),
        (":0\r\n", false),
    ])
    func refusalsAreKnown(_ text: String, _ isRefusal: Bool) throws {
        try withReply(text) { #expect(RedisScript.isRefusal($0) == isRefusal) }
    }

    @Test(arguments: [
        ("-ERR what is '-hidden'?\r\n", "AUTH: ERR what is "), ("-ERR what is -hidden?\r\n", "AUTH: refused"),
        ("-ERR `-hidden\r\n", "AUTH: ERR "), ("-WRONGPASS no\r\n", "AUTH: WRONGPASS no"), ("+OK\r\n", nil),
        (":1\r\n", "AUTH: an answer of another type (3)"),
    ])
    func aPasswordIsNotRepeated(_ text: String, _ expected: String?) throws {
        let url = Array("redis://u:-hidden@h".utf8)
        let address = try url.withUnsafeBytes { try RedisAddress($0) }
        let step = try #require(RedisGreeting.steps(address).first)
        let refusal = try withReply(text) { step.refusal($0) }
        #expect(refusal.map { String(decoding: $0.utf8, as: UTF8.self) } == expected)
    }

    @Test func commandsCountTheirBytes() {
        var commands = RedisCommands(capacity: 1)
        commands.begin(4)
        commands.add("SET")
        commands.add([UInt8]("clé".utf8))
        commands.add(UInt64(1205))
        commands.add(bytes: 2) { $0.append("\r\n") }
        #expect(
            String(decoding: commands.text, as: UTF8.self)
                == "*4\r\n$3\r\nSET\r\n$4\r\nclé\r\n$4\r\n1205\r\n$2\r\n\r\n\r\n")
    }
}

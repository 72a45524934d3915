import CSKANHiredis
import SKANCore
import SKANSystem
import Testing

@testable import SKANRedisRecords

/// The passes of a cluster's listing.
struct RedisCursorTests {
    private let nodes = ["a", "b"].map { RedisNode(.host(CText($0.utf8), port: 1)) }

    /// What the two nodes say of their slots by CLUSTER NODES.
    private func whole(_ first: String, _ second: String) throws -> RedisWholeClaims {
        var whole = RedisWholeClaims()
        for (node, slots) in zip(nodes, [first, second]) {
            let line = "id host:1@2 myself,master - 0 0 1 connected \(slots)\n"
            let reader = try #require(redisReaderCreate())
            defer { redisReaderFree(reader) }
            let text = "$\(line.utf8.count)\r\n\(line)\r\n"
            try #require(redisReaderFeed(reader, text, text.utf8.count) == REDIS_OK)
            var reply: UnsafeMutableRawPointer?
            try #require(redisReaderGetReply(reader, &reply) == REDIS_OK)
            defer { freeReplyObject(reply) }
            let said = try #require(RedisReply(reply))
            whole.append(node, try #require(RedisClaims(said)))
        }
        return whole
    }

    private func text(_ cursor: RedisClusterCursor?) -> String? {
        guard let cursor else { return nil }
        return String(decoding: Message(writing: { cursor.write(to: &$0) }).utf8, as: UTF8.self)
    }

    @Test func theFirstPassListsEveryNodeAndTheLastOneNothing() throws {
        let begun = RedisClusterCursor(try whole("0-99", "100-16383"))
        #expect(text(begun) == "C 0 a:1/* b:1/* h a:1/0-99 b:1/100-16383")
        #expect(text(begun.next(try whole("0-99", "100-16383"))) == nil)
    }

    /// Keys of a slot that is on its way are on both nodes: what the one that is given them has is listed, too.
    @Test func aSlotHalfWayBetweenTwoNodesIsListedOnTheNodeThatIsGivenIt() throws {
        let begun = RedisClusterCursor(try whole("0-99", "100-16383"))
        let next = begun.next(try whole("0-99 [7->-other]", "100-16383 [7-<-other]"))
        #expect(text(next) == "C 0 b:1/7 h a:1/0-99 b:1/7,100-16383")
    }
}

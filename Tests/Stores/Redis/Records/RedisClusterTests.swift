import CSKANHiredis
import SKANCore
import SKANSystem
import Testing

@testable import SKANRedisRecords

/// What a store learns of its cluster's nodes, and where it lets them send it.
struct RedisClusterTests {
    private func place(_ host: String, _ port: UInt32 = 7000) -> RedisPlace { .host(CText(host.utf8), port: port) }

    private func withReply<Result>(_ text: String, _ body: (RedisReply) throws -> Result) throws -> Result {
        let reader = try #require(redisReaderCreate())
        defer { redisReaderFree(reader) }
        var reply: UnsafeMutableRawPointer?
        try #require(redisReaderFeed(reader, text, text.utf8.count) == REDIS_OK)
        try #require(redisReaderGetReply(reader, &reply) == REDIS_OK)
        defer { freeReplyObject(reply) }
        return try body(try #require(RedisReply(reply)))
    }

    /// A range of slots as CLUSTER SLOTS gives it: the hosts of its master and its replicas, all on port 7000.
    private func range(_ first: Int, _ last: Int, _ hosts: [String]) -> String {
        let nodes = hosts.map { "*2\r\n$\($0.utf8.count)\r\n\($0)\r\n:7000\r\n" }
        return "*\(2 + hosts.count)\r\n:\(first)\r\n:\(last)\r\n" + nodes.joined()
    }

    private func learned(_ ranges: [String], isStrict: Bool = false) throws -> RedisCluster {
        let cluster = RedisCluster([place("seed")], isStrict: isStrict)
        try withReply("*\(ranges.count)\r\n" + ranges.joined()) {
            #expect(cluster.learn($0, from: RedisNode(place("seed"))))
        }
        return cluster
    }

    private func follow(_ cluster: RedisCluster, _ words: String) throws -> String {
        try withReply("-\(words)\r\n") { reply in
            switch cluster.follow(try #require(RedisRedirection(reply)), from: RedisNode(place("teller"))) {
            case .node(let node): String(decoding: node.place.name.utf8, as: UTF8.self)
            case .stranger: "a stranger"
            case .nowhere: "nowhere"
            }
        }
    }

    /// Every range names its nodes again: a table of thousands of ranges has few nodes.
    @Test func aTableOfManyRangesHasEachNodeOnce() throws {
        let hosts = (0..<20).map { master in (0...5).map { "host-\(master)-\($0)" } }
        let cluster = try learned((0..<16_384).map { range($0, $0, hosts[$0 % 20]) })
        #expect(cluster.masters.count == 20)
        for slot in stride(from: 0, to: 16_384, by: 997) {
            #expect(try #require(cluster.owner(slot)).place.isSame(as: place("host-\(slot % 20)-0")))
        }
        let tellers = cluster.tellers().map { String(decoding: $0.place.name.utf8, as: UTF8.self) }
        #expect(Set(tellers) == Set(hosts.flatMap { $0 }.map { "\($0):7000" } + ["seed:7000"]))
        #expect(tellers.count == 121)
    }

    /// A connection belongs to a node, and stays open while the node is one of the cluster.
    @Test func nodesStayTheSameWhenTheirSlotsAreLearnedAgain() throws {
        let cluster = try learned([range(0, 16_383, ["a", "b"])])
        let before = try #require(cluster.owner(0))
        try withReply("*2\r\n" + range(0, 99, ["b", "a"]) + range(100, 16_383, ["a"])) {
            #expect(cluster.learn($0, from: before))
        }
        #expect(cluster.owner(100) === before && cluster.owner(0) !== before)
        #expect(cluster.masters.count == 2 && cluster.tellers().count == 3)
    }

    @Test(arguments: [
        "*0\r\n", ":1\r\n", "*1\r\n*2\r\n:0\r\n:1\r\n", "*1\r\n*3\r\n:5\r\n:1\r\n*2\r\n$1\r\na\r\n:1\r\n",
        "*1\r\n*3\r\n:0\r\n:16384\r\n*2\r\n$1\r\na\r\n:1\r\n", "*1\r\n*3\r\n:0\r\n:1\r\n*2\r\n$1\r\na\r\n:0\r\n",
    ])
    func whatIsNoTableIsRefused(_ text: String) throws {
        let cluster = RedisCluster([place("seed")], isStrict: false)
        try withReply(text) { #expect(!cluster.learn($0, from: RedisNode(place("seed")))) }
    }

    /// The password goes, with TLS, only to hosts that CLUSTER SLOTS names.
    @Test(arguments: ["MOVED", "ASK"]) func withTLSNodesSendNobodyToAStranger(_ word: String) throws {
        for (isStrict, expected) in [(true, "a stranger"), (false, "elsewhere:7000")] {
            let cluster = try learned([range(0, 16_383, ["a", "b"])], isStrict: isStrict)
            #expect(try follow(cluster, "\(word) 7 elsewhere:7000") == expected)
            #expect(try follow(cluster, "\(word) 7 a:7000") == "a:7000")
            #expect(try follow(cluster, "\(word) 7 b:7001") == "b:7001")
            #expect(try follow(cluster, "\(word) 7 seed:7002") == "seed:7002")
        }
        let cluster = RedisCluster([place("seed")], isStrict: true)
        #expect(try follow(cluster, "\(word) 7 a:7000") == "a stranger")
        try withReply("*1\r\n" + range(0, 16_383, ["a"])) { #expect(cluster.learn($0, from: RedisNode(place("seed")))) }
        #expect(try follow(cluster, "\(word) 7 a:7000") == "a:7000")
    }

    /// The command is sent again once the slots are learned anew, and is not lost.
    @Test func aCommandThatIsSentToAStrangerWaits() throws {
        let cluster = try learned([range(0, 16_383, ["a"])], isStrict: true)
        var route = RedisRoute(cluster, [0], reads: false)
        let groups = route.takeGroups { _ in 7 }
        let node = try #require(groups.first).node
        let follows = try withReply("-MOVED 7 elsewhere:7000\r\n") { route.follow($0, 0, from: node) }
        #expect(follows)
        #expect(route.open == [0] && route.asked.isEmpty && route.waits && cluster.owner(7) === node)
        let words = String(decoding: try #require(route.trouble).words.utf8, as: UTF8.self)
        #expect(words == "a:7000: MOVED 7 elsewhere:7000: CLUSTER SLOTS names no node on this host")
    }
}

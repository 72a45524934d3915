internal import SKANCore
internal import SKANSystem

/// The commands that still need a reply from a node of the cluster.
struct RedisRoute {
    /// The number that stands for the command ASKING, which tells a node that the next command is for a slot that is
    /// moving to it.
    static var asking: Int { -1 }

    let cluster: RedisCluster
    let reads: Bool
    /// The numbers of the commands that are to be sent to the nodes of their slots.
    var open: [Int]
    /// The commands that are to be sent to another node once, with ASKING.
    var asked: [(number: Int, node: RedisNode)] = []
    /// The error to report if no time is left; nil if no round had an error.
    var trouble: RedisTrouble?
    /// Whether a pause is needed before the next round, because a node is gone or the cluster is changing.
    var waits = false
    /// Whether a node answered that another node has a command's slot.
    var isMoved = false

    init(_ cluster: RedisCluster, _ numbers: [Int], reads: Bool) {
        self.cluster = cluster
        self.reads = reads
        open = numbers
    }

    /// Takes the numbers of the commands of the next round, grouped by node. `slot` returns the slot of a command.
    mutating func takeGroups(_ slot: (Int) -> Int) -> [(node: RedisNode, numbers: [Int])] {
        var groups: [(node: RedisNode, numbers: [Int])] = []
        func add(_ node: RedisNode, _ numbers: [Int]) {
            if let index = groups.firstIndex(where: { $0.node === node }) {
                groups[index].numbers += numbers
            } else {
                groups.append((node, numbers))
            }
        }
        for each in asked { add(each.node, [RedisRoute.asking, each.number]) }
        var left: [Int] = []
        for number in open {
            let slot = slot(number)
            if let node = cluster.owner(slot) {
                add(node, [number])
            } else {
                left.append(number)
                waitBecause(RedisTrouble("no node of the cluster has slot \(slot)"))
            }
        }
        open = left
        asked = []
        return groups
    }

    mutating func waitBecause(_ trouble: RedisTrouble) {
        self.trouble = trouble
        waits = true
    }

    /// Handles a reply that redirects a command, or says that it must wait. Returns false for any other reply.
    mutating func follow(_ reply: RedisReply, _ number: Int, from node: RedisNode) -> Bool {
        if let redirection = RedisRedirection(reply) {
            switch cluster.follow(redirection, from: node) {
            case .node(let next) where !redirection.isMoved: asked.append((number, next))
            case .node:
                isMoved = true
                open.append(number)
            case .stranger:
                open.append(number)
                waitBecause(
                    RedisTrouble(
                        """
                        \(node.place.name): \(reply.words(atMost: 255)): CLUSTER SLOTS names no node on this host
                        """))
            case .nowhere: return false
            }
        } else if RedisRedirection.isTemporary(reply) {
            open.append(number)
            waitBecause(RedisTrouble("\(node.place.name): \(reply.words(atMost: 255))"))
        } else {
            return false
        }
        if trouble == nil { trouble = RedisTrouble("\(node.place.name): \(reply.words(atMost: 255))") }
        return true
    }
}

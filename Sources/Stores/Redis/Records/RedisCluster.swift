internal import SKANCore
internal import SKANSystem

/// The knowledge of the cluster that all connections of a store share.
final class RedisCluster: @unchecked Sendable {
    private let lock = Lock()
    private let seeds: [RedisNode]
    private var slots: RedisSlots
    /// The nodes that have slots, and the nodes of the URL.
    private var known = RedisNodeIndex()
    /// Whether a node may refer to another one only if that is on a host of a known node.
    private let isStrict: Bool
    private var learned = Int64.min
    /// The number of the node that is asked first the next time.
    private var turn = 0

    init(_ places: [RedisPlace], isStrict: Bool) {
        self.isStrict = isStrict
        seeds = places.map { RedisNode($0) }
        slots = RedisSlots(seeds: seeds)
        known.add(all: seeds)
    }

    func owner(_ slot: Int) -> RedisNode? { lock.hold { slots.owner(slot) } }

    func isMaster(_ node: RedisNode) -> Bool { lock.hold { slots.isMaster(node) } }

    var masters: [RedisNode] { lock.hold { [RedisNode](slots.nodes.prefix(slots.masters)) } }

    /// The node at a place, if it has slots; nil otherwise.
    func node(_ place: RedisPlace) -> RedisNode? {
        lock.hold { slots.nodes.prefix(slots.masters).first { $0.place.isSame(as: place) } }
    }

    /// The slots that have a node.
    var covered: RedisSlotSet {
        lock.hold {
            var covered = RedisSlotSet()
            for slot in 0..<RedisSlot.count where slots.owners[slot] != 0 { covered.insert(slot) }
            return covered
        }
    }

    /// Whether a node still belongs to the cluster, or is one of the URL's.
    func knows(_ node: RedisNode) -> Bool {
        lock.hold { slots.nodes.contains { $0 === node } || seeds.contains { $0 === node } }
    }

    /// Whether the slots were learned since this moment, on the clock of `millisecondsNow`.
    func isNewer(than moment: Int64) -> Bool { lock.hold { learned >= moment } }

    /// The nodes to ask for the slots, beginning with another one each time; further nodes of the URL come last.
    func tellers() -> [RedisNode] {
        lock.hold {
            turn &+= 1
            let nodes = slots.nodes
            let start = nodes.isEmpty ? 0 : turn % nodes.count
            return [RedisNode](nodes[start...] + nodes[..<start])
                + seeds.filter { seed in !nodes.contains { $0 === seed } }
        }
    }

    /// Takes the slots from a reply. Returns false if the reply does not contain them.
    func learn(_ reply: RedisReply, from teller: RedisNode) -> Bool {
        // Before the lock is taken, which all calls wait for: a reply may be long.
        guard var told = RedisSlots(reply, from: teller) else { return false }
        lock.hold {
            told.keep(known)
            slots = told
            known = RedisNodeIndex()
            known.add(all: slots.nodes)
            known.add(all: seeds)
            learned = millisecondsNow()
        }
        return true
    }

    enum Followed {
        case node(RedisNode)
        /// A node on an unknown host, to which the password must not be sent.
        case stranger
        /// What was named is not the place of a node.
        case nowhere
    }

    /// Notes that a node referred to another one for a slot; returns that node.
    func follow(_ redirection: RedisRedirection, from teller: RedisNode) -> Followed {
        guard let place = RedisPlace(host: redirection.host, port: redirection.port, from: teller.place) else {
            return .nowhere
        }
        return lock.hold {
            let node: RedisNode
            if let found = known.find(place) {
                node = found
            } else if isStrict && !known.hasHost(of: place) {
                return .stranger
            } else {
                node = RedisNode(place)
            }
            guard redirection.isMoved else { return .node(node) }
            slots.move(redirection.slot, to: node)
            if slots.isMaster(node) { known.add(node) }
            return .node(node)
        }
    }
}

internal import SKANCore
internal import SKANSystem

/// The slots and nodes of a cluster, as far as they are known. All connections of a store share this knowledge.
final class RedisCluster: @unchecked Sendable {
    private let lock = Lock()
    private let seeds: [RedisNode]
    private var slots: RedisSlots
    /// The nodes that have slots, their replicas, and the nodes of the URL.
    private var known = RedisNodeIndex()
    /// Whether redirections are followed only to hosts that have a known node.
    private let isStrict: Bool
    private var learned = Int64.min
    /// The number of calls to `tellers`. It decides with which node the result of a call begins.
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

    /// Whether a node still belongs to the cluster, or is named in the URL.
    func knows(_ node: RedisNode) -> Bool {
        lock.hold { slots.nodes.contains { $0 === node } || seeds.contains { $0 === node } }
    }

    /// Whether the slots were learned since this moment, on the clock of `millisecondsNow`.
    func isNewer(than moment: Int64) -> Bool { lock.hold { learned >= moment } }

    /// The nodes to ask for the slots. Each call begins with another node; nodes that only the URL names come last.
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
        // A reply can be long, so it is parsed before the lock is taken: all calls wait for this lock.
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
        /// The redirection does not name a valid place.
        case nowhere
    }

    /// Returns the node that a redirection names. If the slot has moved for good, notes that the node has it now.
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

internal import SKANCore
internal import SKANSystem

/// The nodes of all slots, as a node reported them.
struct RedisSlots {
    /// The maximum number of nodes that have slots, and of replicas.
    static var mostNodes: Int { 1000 }

    /// For each slot, the index in `nodes` of the node that has the slot, plus 1; 0 if no node has it.
    private(set) var owners = [UInt16](repeating: 0, count: RedisSlot.count)
    /// The nodes that have slots, and after them their replicas.
    private(set) var nodes: [RedisNode] = []
    private(set) var masters = 0

    /// Reads the slots from a reply. Returns nil if the reply does not contain them. Each range of slots names its
    /// nodes again.
    ///
    /// - Parameter teller: The node that replied. It may name nodes without a host; they are on its own host.
    init?(_ reply: RedisReply, from teller: RedisNode) {
        guard let count = reply.count, 1...RedisSlot.count ~= count else { return nil }
        var owning = RedisNodeIndex()
        for number in 0..<count where add(reply[number]?[2], from: teller, to: &owning) == nil { return nil }
        nodes = owning.nodes
        masters = nodes.count
        var replicas = RedisNodeIndex()
        for number in 0..<count {
            guard let range = reply[number], let first = range[0]?.integer, let last = range[1]?.integer,
                0...last ~= first, last < RedisSlot.count, let owner = add(range[2], from: teller, to: &owning)
            else { return nil }
            for slot in Int(first)...Int(last) { owners[slot] = UInt16(owner + 1) }
            for next in 3..<max(range.count ?? 0, 3) { _ = add(range[next], from: teller, to: &replicas) }
        }
        for replica in replicas.nodes where owning.index(of: replica.place) == nil { nodes.append(replica) }
    }

    init(seeds: [RedisNode]) { nodes = seeds }

    /// Replaces nodes by the objects in `known` for the same places.
    mutating func keep(_ known: RedisNodeIndex) {
        for index in nodes.indices {
            if let before = known.find(nodes[index].place) { nodes[index] = before }
        }
    }

    func owner(_ slot: Int) -> RedisNode? {
        let number = Int(owners[slot])
        return number == 0 ? nil : nodes[number - 1]
    }

    func isMaster(_ node: RedisNode) -> Bool { nodes.prefix(masters).contains { $0 === node } }

    mutating func move(_ slot: Int, to node: RedisNode) {
        var number = nodes.prefix(masters).firstIndex { $0 === node }
        if number == nil, nodes.count < RedisSlots.mostNodes {
            // The numbers of the other nodes must not change. If the node is listed as a replica too, it is listed
            // twice until the slots are learned anew.
            nodes.insert(node, at: masters)
            number = masters
            masters += 1
        }
        if let number { owners[slot] = UInt16(number + 1) }
    }
}

/// Returns the index of the node that a reply names; a new node is added. Returns nil if the reply names none, or if
/// there are too many.
@inline(never)
private func add(_ told: RedisReply?, from teller: RedisNode, to index: inout RedisNodeIndex) -> Int? {
    guard let told, let port = told[1]?.integer, 1...65_535 ~= port,
        let place = RedisPlace(host: told[0]?.string, port: UInt32(port), from: teller.place)
    else { return nil }
    if let known = index.index(of: place) { return known }
    if index.nodes.count == RedisSlots.mostNodes { return nil }
    index.add(RedisNode(place))
    return index.index(of: place)
}

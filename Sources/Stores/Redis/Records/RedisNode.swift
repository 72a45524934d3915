internal import SKANCore
internal import SKANSystem

/// A server that connections are made to. One object for each place in a store, so that what is known of it stays.
final class RedisNode: @unchecked Sendable {
    let place: RedisPlace

    init(_ place: RedisPlace) { self.place = place }
}

/// The nodes of all slots, as a node reported them.
struct RedisSlots {
    static var mostNodes: Int { 1000 }

    /// The number of each slot's node, from 1 on; 0: no node has the slot.
    private(set) var owners = [UInt16](repeating: 0, count: RedisSlot.count)
    /// The nodes that have slots, and after them their replicas.
    private(set) var nodes: [RedisNode] = []
    private(set) var masters = 0

    /// Takes the same objects for places that `before` knows.
    ///
    /// - Parameter from: The node that reported them: nodes whose host it does not know are on its own host.
    init?(_ reply: RedisReply, from teller: RedisNode, before: [RedisNode]) {
        guard let count = reply.count, count > 0 else { return nil }
        var known = before
        func node(_ told: RedisReply?) -> RedisNode? {
            guard let told, let port = told[1]?.integer, 1...65_535 ~= port else { return nil }
            return RedisNode.at(told[0]?.string, UInt32(port), from: teller, &known)
        }
        var replicas: [RedisNode] = []
        for index in 0..<count {
            guard let range = reply[index], let first = range[0]?.integer, let last = range[1]?.integer,
                0...last ~= first, last < RedisSlot.count, let owner = node(range[2])
            else { return nil }
            var number = nodes.firstIndex { $0 === owner } ?? nodes.count
            if number == nodes.count { nodes.append(owner) }
            number += 1
            for slot in Int(first)...Int(last) { owners[slot] = UInt16(number) }
            for next in 3..<max(range.count ?? 0, 3) {
                if let replica = node(range[next]) { replicas.append(replica) }
            }
            if nodes.count + replicas.count > RedisSlots.mostNodes { return nil }
        }
        masters = nodes.count
        for replica in replicas where !nodes.contains(where: { $0 === replica }) { nodes.append(replica) }
    }

    init(seeds: [RedisNode]) { nodes = seeds }

    func owner(_ slot: Int) -> RedisNode? {
        let number = Int(owners[slot])
        return number == 0 ? nil : nodes[number - 1]
    }

    func isMaster(_ node: RedisNode) -> Bool { nodes.prefix(masters).contains { $0 === node } }

    mutating func move(_ slot: Int, to node: RedisNode) {
        var number = nodes.prefix(masters).firstIndex { $0 === node }
        if number == nil, nodes.count < RedisSlots.mostNodes {
            // Numbers of the others stay; a replica among them is there twice until all is learned anew.
            nodes.insert(node, at: masters)
            number = masters
            masters += 1
        }
        if let number { owners[slot] = UInt16(number + 1) }
    }
}

extension RedisNode {
    /// The node of a place that a node told of; an empty host is the teller's own.
    static func at(
        _ host: Bytes?, _ port: UInt32, from teller: RedisNode, _ known: inout [RedisNode]
    ) -> RedisNode? {
        var place: RedisPlace?
        if let host, !host.isEmpty, !host.elementsEqual([UInt8(ascii: "?")]) {
            if host.count > 255 || host.contains(0) { return nil }
            if let found = known.first(where: { $0.place.isHost(host, port: port) }) { return found }
            place = .host(CText(host), port: port)
        } else if let own = teller.place.host {
            if let found = known.first(where: { $0.place.isHost(own, port: port) }) { return found }
            place = .host(own, port: port)
        }
        guard let place else { return nil }
        let made = RedisNode(place)
        known.append(made)
        return made
    }
}

internal import SKANCore
internal import SKANSystem

/// A server to which connections are made. A store keeps one object for each place, so that the connections to a server
/// are found again after the slots were learned anew.
final class RedisNode: @unchecked Sendable {
    let place: RedisPlace

    init(_ place: RedisPlace) { self.place = place }
}

/// Nodes in the order of their places, so that one is found quickly among many.
struct RedisNodeIndex {
    private(set) var nodes: [RedisNode] = []

    /// The index of the node at a place; nil if there is none.
    func index(of place: RedisPlace) -> Int? {
        let index = start(of: place)
        return index < nodes.count && nodes[index].place.order(place) == 0 ? index : nil
    }

    func find(_ place: RedisPlace) -> RedisNode? { index(of: place).map { nodes[$0] } }

    /// Adds a node, unless there is already one at its place.
    mutating func add(_ node: RedisNode) {
        if index(of: node.place) == nil { nodes.insert(node, at: start(of: node.place)) }
    }

    @inline(never)
    mutating func add(all nodes: [RedisNode]) {
        for node in nodes { add(node) }
    }

    /// Whether the index has a node on the same host as this place, whatever its port.
    func hasHost(of place: RedisPlace) -> Bool { nodes.contains { $0.place.isOnHost(of: place) } }

    /// The index of the first node that does not come before this place in the order.
    private func start(of place: RedisPlace) -> Int {
        var low = 0
        var high = nodes.count
        while low < high {
            let middle = (low + high) / 2
            if nodes[middle].place.order(place) < 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

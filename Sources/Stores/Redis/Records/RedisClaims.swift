internal import SKANCore
internal import SKANSystem

/// The slots that a node claims for itself in its reply to CLUSTER NODES.
struct RedisClaims {
    private(set) var owned = RedisSlotSet()
    /// The slots that are moving to the node.
    private(set) var importing = RedisSlotSet()
    /// The slots that are moving away from the node.
    private(set) var migrating = RedisSlotSet()

    /// Reads a node's reply to CLUSTER NODES. Returns nil for any other reply. A replica claims no slots.
    init?(_ reply: RedisReply) {
        guard let text = reply.string else { return nil }
        for line in text.split(separator: UInt8(ascii: "\n")) {
            let words = line.split(separator: UInt8(ascii: " "))
            guard words.count >= 8, words[2].split(separator: UInt8(ascii: ",")).contains(where: isMyself) else {
                continue
            }
            for word in words[8...] {
                guard word.first == UInt8(ascii: "[") ? note(word.dropFirst()) : owned.insert(range: word) else {
                    return nil
                }
            }
            return
        }
        return nil
    }

    /// Notes a slot that is moving: "93-<-id]" or "93->-id]".
    private mutating func note(_ word: Slice<Bytes>) -> Bool {
        var slot = RedisSlotSet()
        let digits = word.prefix { $0 != UInt8(ascii: "-") }
        guard slot.insert(range: digits) else { return false }
        let way = word[digits.endIndex...].dropFirst().first
        if way == UInt8(ascii: "<") { importing.formUnion(slot) } else { migrating.formUnion(slot) }
        return true
    }
}

private func isMyself(_ flag: Slice<Bytes>) -> Bool { flag.elementsEqual(("myself" as StaticString).bytes) }

/// The slots that the nodes of a cluster claim. The nodes are asked one after the other.
struct RedisWholeClaims {
    private(set) var nodes: [(node: RedisNode, claims: RedisClaims)] = []
    private var owned = RedisSlotSet()
    private var importing = RedisSlotSet()
    private var migrating = RedisSlotSet()

    mutating func append(_ node: RedisNode, _ claims: RedisClaims) {
        nodes.append((node, claims))
        owned.formUnion(claims.owned)
        importing.formUnion(claims.importing)
        migrating.formUnion(claims.migrating)
    }

    /// Whether each of `slots` is claimed by a node, and each slot that moves away from a node is moving to another
    /// one.
    func cover(_ slots: RedisSlotSet) -> Bool {
        var missing = slots
        missing.subtract(owned)
        var gone = migrating
        gone.subtract(importing)
        return missing.isEmpty && gone.isEmpty
    }
}

internal import SKANCore
internal import SKANSystem

/// What a node says of its own slots in its reply to CLUSTER NODES.
struct RedisClaims {
    /// The slots that it has, those that it is being given, and those that it gives away.
    private(set) var owned = RedisSlotSet()
    private(set) var importing = RedisSlotSet()
    private(set) var migrating = RedisSlotSet()

    /// nil if it is another reply, or a replica's, which has no slots.
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

/// What all nodes of a cluster say of their own slots, asked one after the other.
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

    /// Whether each of these slots has a node here, and each slot that moves has a node that it moves to.
    func cover(_ slots: RedisSlotSet) -> Bool {
        var missing = slots
        missing.subtract(owned)
        var gone = migrating
        gone.subtract(importing)
        return missing.isEmpty && gone.isEmpty
    }
}

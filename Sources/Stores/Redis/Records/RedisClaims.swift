internal import SKANCore
internal import SKANSystem

/// What a node tells about its own slots by CLUSTER NODES.
struct RedisClaims {
    /// Slots that it has, and slots whose keys it is being given or gives away.
    private(set) var owned = RedisSlotSet()
    private(set) var importing = RedisSlotSet()
    private(set) var migrating = RedisSlotSet()

    /// nil: the reply is no such thing. A replica has none.
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

    /// "93-<-id]" or "93->-id]"
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

/// What the nodes of a cluster say of themselves, one after the other.
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

    /// Whether these slots all have a node here, and each that moves a node that it moves to.
    func cover(_ slots: RedisSlotSet) -> Bool {
        var missing = slots
        missing.subtract(owned)
        var gone = migrating
        gone.subtract(importing)
        return missing.isEmpty && gone.isEmpty
    }
}

internal import SKANCore
internal import SKANSystem

/// The progress of a listing of a cluster.
///
/// SCAN lists the nodes one after the other. Meanwhile a slot may move from a node that is still to be listed to a node
/// that was listed before. So after each pass, another pass lists the slots that nodes have gained since the pass
/// began, until no node has gained any. The text of a cursor is "C", the progress of SCAN on the first node, then for
/// each node to be listed "place/slots", with * for all slots, then "h" and "place/slots" for the slots that each node
/// had when the pass began.
struct RedisClusterCursor {
    struct Part {
        let place: RedisPlace
        /// The slots to list; nil for all slots of the node.
        let slots: RedisSlotSet?
    }

    /// The progress of SCAN in the first of the parts.
    var scan = RedisScan()
    /// The parts that are still to be listed in this pass.
    var parts: [Part] = []
    /// The slots that each node had when this pass began.
    private(set) var held: [(place: RedisPlace, slots: RedisSlotSet)] = []

    static var mostBytes: Int { 262_144 }

    /// Creates the cursor of the first pass, over all slots that the nodes claim in `whole`.
    init(_ whole: RedisWholeClaims) {
        for (node, claims) in whole.nodes {
            parts.append(Part(place: node.place, slots: nil))
            held.append((node.place, claims.owned))
        }
    }

    /// Returns the cursor of the next pass, over the slots that nodes have gained since this pass began. `whole` has
    /// the slots that the nodes claim now. Returns nil if no node has gained any.
    func next(_ whole: RedisWholeClaims) -> RedisClusterCursor? {
        var next = self
        next.parts = []
        next.held = []
        next.scan = RedisScan()
        for (node, claims) in whole.nodes {
            var has = claims.owned
            has.formUnion(claims.importing)
            next.held.append((node.place, has))
            for known in held where known.place.isSame(as: node.place) { has.subtract(known.slots) }
            if !has.isEmpty { next.parts.append(Part(place: node.place, slots: has)) }
        }
        return next.parts.isEmpty ? nil : next
    }

    // MARK: As text

    /// Parses the text of a cursor. Returns nil for any other text.
    init?(_ text: Bytes) {
        guard text.count <= RedisClusterCursor.mostBytes else { return nil }
        let words = text.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count >= 4, words[0].elementsEqual([UInt8(ascii: "C")]) else { return nil }
        guard let scan = RedisScan(words[1]) else { return nil }
        self.scan = scan
        var isOfHeld = false
        for word in words[2...] {
            if word.elementsEqual([UInt8(ascii: "h")]) && !isOfHeld {
                isOfHeld = true
                continue
            }
            guard let slash = word.lastIndex(of: UInt8(ascii: "/")), let place = RedisPlace(named: word[..<slash])
            else { return nil }
            let slots = word[(slash + 1)...]
            if !isOfHeld && slots.elementsEqual([UInt8(ascii: "*")]) {
                parts.append(Part(place: place, slots: nil))
            } else if let set = RedisSlotSet(slots) {
                if isOfHeld { held.append((place, set)) } else { parts.append(Part(place: place, slots: set)) }
            } else {
                return nil
            }
        }
        if parts.isEmpty || !isOfHeld { return nil }
    }

    func write(to out: inout ByteBuffer) {
        out.append("C ")
        scan.write(to: &out)
        for part in parts {
            write(part.place, to: &out)
            if let slots = part.slots { slots.write(to: &out) } else { out.append("*") }
        }
        out.append(" h")
        for each in held {
            write(each.place, to: &out)
            each.slots.write(to: &out)
        }
    }

    private func write(_ place: RedisPlace, to out: inout ByteBuffer) {
        out.append(" ")
        place.name.utf8.withUnsafeBytes { out.append($0) }
        out.append("/")
    }
}

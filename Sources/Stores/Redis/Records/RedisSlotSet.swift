internal import SKANCore
internal import SKANSystem

/// A set of slots of a cluster. Its text has the form "0-100,7000", and is "" if there are none.
struct RedisSlotSet {
    private var words = [UInt64](repeating: 0, count: RedisSlot.count / 64)

    init() {}

    /// Parses the text of a set, such as "0-100,7000". Returns nil for any other text.
    init?(_ text: Slice<Bytes>) {
        for part in text.split(separator: UInt8(ascii: ",")) {
            guard insert(range: part) else { return nil }
        }
    }

    func contains(_ slot: Int) -> Bool { words[slot / 64] >> UInt64(slot % 64) & 1 == 1 }

    mutating func insert(_ slot: Int) { words[slot / 64] |= 1 << UInt64(slot % 64) }

    /// Adds a slot, "7", or a range of slots, "7-9". Returns false for any other text.
    mutating func insert(range: Slice<Bytes>) -> Bool {
        let most = UInt32(RedisSlot.count - 1)
        let dash = range.firstIndex(of: UInt8(ascii: "-")) ?? range.endIndex
        guard let first = number(range[..<dash], atMost: most),
            let last = dash == range.endIndex ? first : number(range[(dash + 1)...], atMost: most), first <= last
        else { return false }
        for slot in first...last { insert(Int(slot)) }
        return true
    }

    mutating func formUnion(_ other: RedisSlotSet) {
        for index in words.indices { words[index] |= other.words[index] }
    }

    mutating func subtract(_ other: RedisSlotSet) {
        for index in words.indices { words[index] &= ~other.words[index] }
    }

    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    func write(to out: inout ByteBuffer) {
        var slot = 0
        var isFirst = true
        while slot < RedisSlot.count {
            let first = slot
            while slot < RedisSlot.count, contains(slot) { slot += 1 }
            if slot > first {
                if !isFirst { out.append(UInt8(ascii: ",")) }
                isFirst = false
                out.append(decimal: Int64(first))
                if slot > first + 1 {
                    out.append(UInt8(ascii: "-"))
                    out.append(decimal: Int64(slot - 1))
                }
            }
            slot += 1
        }
    }
}

/// SPEC §1: the last 64 event ids of one sort, whole, oldest first. Kept as the record stores them: a length byte and the
/// id's bytes, one after the other.
package struct EventIDs: Sendable {
    package private(set) var bytes: [UInt8] = []
    package private(set) var count: Int = 0

    package init() {}

    /// Ids as a record holds them, nil unless there are `count` of them, each of 1...128 bytes, and nothing else.
    package init?(stored: UnsafeRawBufferPointer, count: Int) {
        guard count <= Limits.eventIDs else { return nil }
        guard count > 0 else {
            if stored.count != 0 { return nil }
            return
        }
        var position = 0
        for _ in 0..<count {
            guard position < stored.count else { return nil }
            let length = Int(stored[position])
            guard length >= 1, length <= Limits.eventIDBytes else { return nil }
            position &+= 1 &+ length
        }
        guard position == stored.count else { return nil }
        bytes = [UInt8](stored)
        self.count = count
    }

    package func contains(_ id: UnsafeRawBufferPointer) -> Bool {
        guard count > 0, let start = id.baseAddress else { return false }
        return bytes.withUnsafeBytes { stored in
            guard let base = stored.baseAddress else { return false }
            return id.count >= 8
                ? find(base, stored.count, start, id.count) : findShort(base, stored.count, start, id.count)
        }
    }

    /// Ids of one game tend to differ at their ends: those are compared first.
    @inline(__always)
    private func find(_ base: UnsafeRawPointer, _ end: Int, _ id: UnsafeRawPointer, _ length: Int) -> Bool {
        let tail = id.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self)
        var position = 0
        while position < end {
            let stored = Int(base.load(fromByteOffset: position, as: UInt8.self))
            position &+= 1
            if stored == length, position &+ stored <= end,
                base.loadUnaligned(fromByteOffset: position &+ length &- 8, as: UInt64.self) == tail,
                areEqual(base + position, id, length)
            {
                return true
            }
            position &+= stored
        }
        return false
    }

    private func findShort(_ base: UnsafeRawPointer, _ end: Int, _ id: UnsafeRawPointer, _ length: Int) -> Bool {
        var position = 0
        while position < end {
            let stored = Int(base.load(fromByteOffset: position, as: UInt8.self))
            position &+= 1
            if stored == length, position &+ stored <= end, areEqual(base + position, id, length) { return true }
            position &+= stored
        }
        return false
    }

    /// Remembers an id of 1...128 bytes; the oldest of 64 gives way.
    package mutating func remember(_ id: UnsafeRawBufferPointer) {
        if count == Limits.eventIDs, let oldest = bytes.first {
            bytes.removeFirst(1 &+ Int(oldest))
            count &-= 1
        }
        bytes.append(UInt8(truncatingIfNeeded: id.count))
        bytes.append(contentsOf: id)
        count &+= 1
    }
}

@inline(__always)
private func areEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Bool {
    for index in 0..<count
    where left.load(fromByteOffset: index, as: UInt8.self) != right.load(fromByteOffset: index, as: UInt8.self) {
        return false
    }
    return true
}

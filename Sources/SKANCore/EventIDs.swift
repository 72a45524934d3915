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
        let length = UInt8(truncatingIfNeeded: id.count)
        return bytes.withUnsafeBytes { stored in
            var position = 0
            while position < stored.count {
                let storedLength = stored[position]
                if storedLength == length,
                    areEqual(UnsafeRawBufferPointer(rebasing: stored[(position &+ 1)...]), start, id.count)
                {
                    return true
                }
                position &+= 1 &+ Int(storedLength)
            }
            return false
        }
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

/// Whether the first `count` bytes of both are the same.
@inline(__always)
private func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawPointer, _ count: Int) -> Bool {
    guard left.count >= count else { return false }
    var index = 0
    while index < count {
        if left[index] != right.load(fromByteOffset: index, as: UInt8.self) { return false }
        index &+= 1
    }
    return true
}

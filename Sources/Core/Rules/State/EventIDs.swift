/// Rules, "Event ids": the last 64 event ids of one kind, in full, oldest first. They are kept in the record's form: a
/// length byte and the id's bytes, one after the other.
package struct EventIDs: @unchecked Sendable {
    package private(set) var count: Int = 0
    /// The oldest ids, if they are still in the record's memory, to be read and written without a copy.
    private var borrowed = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The newest id, if it is still in the caller's memory; only together with borrowed ones.
    private var added = UnsafeRawBufferPointer(start: nil, count: 0)
    /// All ids, if none is borrowed.
    private var owned: [UInt8] = []
    private var isBorrowing = false

    @inline(__always)
    package init() {}

    /// Ids as stored in a record; nil unless there are exactly `count` of them, each of 1...128 bytes.
    package init?(stored: UnsafeRawBufferPointer, count: Int) {
        guard count <= Limits.eventIDs else { return nil }
        var position = 0
        for _ in 0..<count {
            guard position < stored.count else { return nil }
            let length = Int(stored[position])
            guard length >= 1, length <= Limits.eventIDBytes else { return nil }
            position &+= 1 &+ length
        }
        guard position == stored.count else { return nil }
        if count > 0 { owned = [UInt8](stored) }
        self.count = count
    }

    /// Ids in a record that stays in place unchanged while these are used, and that needs no check.
    @inline(__always)
    package init(borrowed stored: UnsafeRawBufferPointer, count: Int) {
        assert(EventIDs(stored: stored, count: count) != nil)
        borrowed = stored
        self.count = count
        isBorrowing = true
    }

    @inline(__always)
    package var byteCount: Int { count == 0 ? 0 : storedBytes }

    private var storedBytes: Int { borrowed.count &+ owned.count &+ (added.isEmpty ? 0 : 1 &+ added.count) }

    package func write(to memory: UnsafeMutableRawPointer) {
        guard count > 0 else { return }
        if let start = borrowed.baseAddress { memory.copyMemory(from: start, byteCount: borrowed.count) }
        if let start = added.baseAddress {
            let end = memory + borrowed.count
            end.storeBytes(of: UInt8(truncatingIfNeeded: added.count), as: UInt8.self)
            (end + 1).copyMemory(from: start, byteCount: added.count)
        }
        owned.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            memory.copyMemory(from: start, byteCount: bytes.count)
        }
    }

    package func contains(_ id: UnsafeRawBufferPointer) -> Bool {
        guard count > 0 else { return false }
        return find(id, in: borrowed) || isAdded(id) || (!owned.isEmpty && owned.withUnsafeBytes { find(id, in: $0) })
    }

    private func isAdded(_ id: UnsafeRawBufferPointer) -> Bool {
        guard added.count == id.count, let stored = added.baseAddress, let start = id.baseAddress else { return false }
        return areEqual(stored, start, id.count)
    }

    @inline(__always)
    private func find(_ id: UnsafeRawBufferPointer, in ids: UnsafeRawBufferPointer) -> Bool {
        guard let base = ids.baseAddress, let start = id.baseAddress else { return false }
        let length = id.count
        // Ids of one game tend to differ at their ends, so the ends are compared first.
        let tail = length >= 8 ? start.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self) : 0
        var position = 0
        while position < ids.count {
            let stored = Int(base.load(fromByteOffset: position, as: UInt8.self))
            position &+= 1
            if stored == length, position &+ stored <= ids.count,
                length < 8 || base.loadUnaligned(fromByteOffset: position &+ length &- 8, as: UInt64.self) == tail,
                areEqual(base + position, start, length)
            {
                return true
            }
            position &+= stored
        }
        return false
    }

    /// Remembers an id of 1...128 bytes, and forgets the oldest of 64. After borrowed ids, the first new one is
    /// borrowed too, since its text stays valid while the rule is used.
    package mutating func remember(_ id: UnsafeRawBufferPointer) {
        assert(id.count >= 1 && id.count <= Limits.eventIDBytes)
        if count == Limits.eventIDs { forgetOldest() }
        if isBorrowing, added.isEmpty {
            added = id
            count &+= 1
            return
        }
        own()
        owned.reserveCapacity(owned.count &+ 1 &+ id.count)
        owned.append(UInt8(truncatingIfNeeded: id.count))
        owned.append(contentsOf: id)
        count &+= 1
    }

    /// Copies the ids if they are borrowed.
    private mutating func own() {
        guard isBorrowing else { return }
        var bytes = [UInt8](repeating: 0, count: byteCount)
        bytes.withUnsafeMutableBytes { memory in
            if let base = memory.baseAddress { write(to: base) }
        }
        owned = bytes
        borrowed = UnsafeRawBufferPointer(start: nil, count: 0)
        added = borrowed
        isBorrowing = false
    }

    private mutating func forgetOldest() {
        if let oldest = borrowed.first {
            borrowed = UnsafeRawBufferPointer(rebasing: borrowed.dropFirst(1 &+ Int(oldest)))
        } else if let oldest = owned.first {
            owned.removeFirst(min(1 &+ Int(oldest), owned.count))
        }
        count &-= 1
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

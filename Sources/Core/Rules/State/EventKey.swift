/// Rules, "Event ids": the key by which an event id is remembered, short enough that three lists of 64 keys fit into a
/// record. The key of an id of at most 64 bytes is the id itself. The key of a longer id is its SHA-256 followed by its
/// first 33 bytes. These 65 bytes are longer than any whole id, so the two kinds cannot be confused.
///
/// A list is a sequence of entries. An entry is the key's length in one byte, and the key.
enum EventKey {
    static var wholeBytes: Int { 64 }
    static var mostBytes: Int { 65 }

    @inline(__always)
    static func with<Result>(_ id: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        id.count <= wholeBytes ? body(id) : withLong(id, body)
    }

    @inline(never)
    private static func withLong<Result>(
        _ id: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        var key: [UInt8] = []
        key.reserveCapacity(mostBytes)
        let digest = SHA256(of: id)
        for index in digest.words.indices {
            for shift in stride(from: UInt32(24), through: 0, by: -8) {
                key.append(UInt8(truncatingIfNeeded: digest.words[index] >> shift))
            }
        }
        key.append(contentsOf: id.prefix(mostBytes &- SHA256.byteCount))
        return key.withUnsafeBytes { body($0) }
    }

    static func append(_ key: UnsafeRawBufferPointer, to list: inout [UInt8]) {
        list.append(UInt8(truncatingIfNeeded: key.count))
        list.append(contentsOf: key)
    }

    // MARK: In a list

    /// The address of a key's entry in a list; nil if the list does not contain the key.
    @inline(__always)
    static func find(
        _ key: UnsafeRawBufferPointer, from start: UnsafeRawPointer, to end: UnsafeRawPointer
    ) -> UnsafeRawPointer? {
        guard let base = key.baseAddress else { return nil }
        let length = key.count
        guard length >= 8 else { return findShort(key, from: start, to: end) }
        // The ids of one game tend to differ in their last bytes, so these are compared first.
        let tail = base.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self)
        var entry = start
        while entry < end {
            let stored = Int(entry.load(as: UInt8.self))
            if stored == length, entry.loadUnaligned(fromByteOffset: length &- 7, as: UInt64.self) == tail,
                areEqual(entry + 1, base, length)
            {
                return entry
            }
            entry += stored &+ 1
        }
        return nil
    }

    @inline(never)
    private static func findShort(
        _ key: UnsafeRawBufferPointer, from start: UnsafeRawPointer, to end: UnsafeRawPointer
    ) -> UnsafeRawPointer? {
        guard let base = key.baseAddress else { return nil }
        var entry = start
        while entry < end {
            let stored = Int(entry.load(as: UInt8.self))
            if stored == key.count, areEqual(entry + 1, base, stored) { return entry }
            entry += stored &+ 1
        }
        return nil
    }

    /// The number of an entry in its list, from 0.
    static func number(of entry: UnsafeRawPointer, from start: UnsafeRawPointer) -> Int {
        var (number, next) = (0, start)
        while next < entry {
            next += Int(next.load(as: UInt8.self)) &+ 1
            number &+= 1
        }
        return number
    }

    @inline(__always)
    static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count, let first = left.baseAddress, let other = right.baseAddress else {
            return false
        }
        return areEqual(first, other, left.count)
    }

    @inline(__always)
    private static func areEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Bool {
        for index in 0..<count
        where left.load(fromByteOffset: index, as: UInt8.self) != right.load(fromByteOffset: index, as: UInt8.self) {
            return false
        }
        return true
    }
}

internal import CSKANSystem
internal import SKANSystem

/// Compares keys as bytes, as memcmp does: the result is negative, 0 or positive.
@inline(__always)
func compareKeys(_ left: Bytes, _ right: Bytes) -> Int {
    let common = min(left.count, right.count)
    if common > 0, let first = left.baseAddress, let second = right.baseAddress {
        let order = memcmp(first, second, common)
        if order != 0 { return Int(order) }
    }
    return left.count - right.count
}

/// Keys in sorted order, each with its index among the keys that were given. Keys mostly share a prefix, so they are
/// compared by a number first: the 8 bytes behind that prefix.
struct KeyOrder {
    private struct Placed: Comparable {
        /// The 8 bytes behind the common prefix, as a big-endian number. Keys with equal numbers are compared as a
        /// whole.
        let number: UInt64
        let key: Bytes
        let place: Int

        static func < (one: Placed, other: Placed) -> Bool {
            one.number != other.number ? one.number < other.number : compareKeys(one.key, other.key) < 0
        }

        static func == (one: Placed, other: Placed) -> Bool {
            one.number == other.number && compareKeys(one.key, other.key) == 0
        }
    }

    /// The length of the common prefix of all keys, in bytes.
    private let shared: Int
    private let ordered: [Placed]

    init(_ keys: [Bytes]) {
        let shared = sharedBytes(keys)
        self.shared = shared
        ordered = keys.indices.map { place in
            Placed(number: number(of: keys[place], behind: shared), key: keys[place], place: place)
        }.sorted()
    }

    var places: [Int] { ordered.map { $0.place } }

    /// The index of a key among the keys that were given; nil if it is not one of them.
    func place(of key: Bytes) -> Int? {
        guard let any = ordered.first?.key, key.count >= shared, beginAlike(key, any, shared) else { return nil }
        let wanted = Placed(number: number(of: key, behind: shared), key: key, place: 0)
        var (low, high) = (0, ordered.count)
        while low < high {
            let middle = (low + high) / 2
            if ordered[middle] < wanted { low = middle + 1 } else { high = middle }
        }
        return low < ordered.count && ordered[low] == wanted ? ordered[low].place : nil
    }
}

private func sharedBytes(_ keys: [Bytes]) -> Int {
    guard let first = keys.first else { return 0 }
    var shared = first.count
    for key in keys {
        shared = min(shared, key.count)
        if !beginAlike(key, first, shared) { shared = zip(key, first).prefix { $0 == $1 }.count }
    }
    return shared
}

/// Whether two keys, both at least this long, have the same first `count` bytes.
@inline(__always)
private func beginAlike(_ key: Bytes, _ other: Bytes, _ count: Int) -> Bool {
    compareKeys(Bytes(start: key.baseAddress, count: count), Bytes(start: other.baseAddress, count: count)) == 0
}

/// The 8 bytes behind the first `shared` bytes of a key, as a big-endian number. Bytes beyond the key's end count as 0.
@inline(__always)
private func number(of key: Bytes, behind shared: Int) -> UInt64 {
    if key.count - shared >= 8 {
        return UInt64(bigEndian: key.loadUnaligned(fromByteOffset: shared, as: UInt64.self))
    }
    var number: UInt64 = 0
    for index in shared..<key.count { number |= UInt64(key[index]) << UInt64(56 - 8 * (index - shared)) }
    return number
}

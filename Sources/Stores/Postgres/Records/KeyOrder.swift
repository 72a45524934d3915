internal import CSKANSystem
internal import SKANSystem

/// Keys as bytes: below 0, 0 or above it, as for memcmp.
@inline(__always)
func compareKeys(_ left: Bytes, _ right: Bytes) -> Int {
    let common = min(left.count, right.count)
    if common > 0, let first = left.baseAddress, let second = right.baseAddress {
        let order = memcmp(first, second, common)
        if order != 0 { return Int(order) }
    }
    return left.count - right.count
}

/// Keys in their order, each with its place among those that were given. Keys of one host mostly begin alike: they are
/// told apart by a number, the 8 bytes that follow what all of them share.
struct KeyOrder {
    private struct Placed {
        /// Keys whose numbers are equal differ behind them, if they do.
        let number: UInt64
        let place: Int
    }

    private let keys: [Bytes]
    /// So many bytes are the first of each key.
    private let shared: Int
    private var ordered: [Placed]

    init(_ keys: [Bytes]) {
        let shared = sharedBytes(keys)
        self.keys = keys
        self.shared = shared
        ordered = keys.indices.map { Placed(number: number(of: keys[$0], behind: shared), place: $0) }
        sort()
    }

    var places: [Int] { ordered.map { $0.place } }

    /// The place of a key; nil where none is it.
    func place(of key: Bytes) -> Int? {
        guard let any = keys.first, key.count >= shared, beginAlike(key, any, shared) else { return nil }
        let number = number(of: key, behind: shared)
        let low = ordered.withUnsafeBufferPointer { ordered in
            var (low, count) = (0, ordered.count)
            while count > 0 {
                let half = count >> 1
                if precedes(ordered[low &+ half], number, key) {
                    low &+= half &+ 1
                    count &-= half &+ 1
                } else {
                    count = half
                }
            }
            return low
        }
        guard low < ordered.count, compareKeys(keys[ordered[low].place], key) == 0 else { return nil }
        return ordered[low].place
    }

    @inline(__always)
    private func precedes(_ placed: Placed, _ number: UInt64, _ key: @autoclosure () -> Bytes) -> Bool {
        if placed.number != number { return placed.number < number }
        return compareKeys(keys[placed.place], key()) < 0
    }

    // MARK: Sorting

    /// Sorts by merging: Swift's own sort takes thrice as long, and 6 KB more; qsort calls a function for each
    /// comparison.
    private mutating func sort() {
        let count = ordered.count
        var (from, into) = (ordered, ordered)
        var length = 1
        while length < count {
            from.withUnsafeBufferPointer { from in
                into.withUnsafeMutableBufferPointer { into in
                    for start in stride(from: 0, to: count, by: 2 * length) {
                        let middle = min(start + length, count)
                        merge(from, start..<middle, middle..<min(middle + length, count), into)
                    }
                }
            }
            swap(&from, &into)
            length *= 2
        }
        ordered = from
    }

    /// Two runs, each in its order, into one at their place.
    @inline(__always)
    private func merge(
        _ from: UnsafeBufferPointer<Placed>, _ left: Range<Int>, _ right: Range<Int>,
        _ into: UnsafeMutableBufferPointer<Placed>
    ) {
        var (first, second, place) = (left.lowerBound, right.lowerBound, left.lowerBound)
        while first < left.upperBound && second < right.upperBound {
            let (one, other) = (from[first], from[second])
            let isSecond = precedes(other, one.number, keys[one.place])
            into[place] = isSecond ? other : one
            if isSecond { second &+= 1 } else { first &+= 1 }
            place &+= 1
        }
        while first < left.upperBound {
            into[place] = from[first]
            first &+= 1
            place &+= 1
        }
        while second < right.upperBound {
            into[place] = from[second]
            second &+= 1
            place &+= 1
        }
    }
}

/// How many bytes all keys begin with.
private func sharedBytes(_ keys: [Bytes]) -> Int {
    guard let first = keys.first else { return 0 }
    var shared = first.count
    for key in keys {
        shared = min(shared, key.count)
        if !beginAlike(key, first, shared) { shared = zip(key, first).prefix { $0 == $1 }.count }
    }
    return shared
}

/// Two keys that have so many bytes.
@inline(__always)
private func beginAlike(_ key: Bytes, _ other: Bytes, _ count: Int) -> Bool {
    compareKeys(Bytes(start: key.baseAddress, count: count), Bytes(start: other.baseAddress, count: count)) == 0
}

/// The 8 bytes behind the first `shared` ones of a key that has these, the first of them the highest; 0 for each that
/// it has not.
@inline(__always)
private func number(of key: Bytes, behind shared: Int) -> UInt64 {
    if key.count - shared >= 8 {
        return UInt64(bigEndian: key.loadUnaligned(fromByteOffset: shared, as: UInt64.self))
    }
    var number: UInt64 = 0
    for index in shared..<key.count { number |= UInt64(key[index]) << UInt64(56 - 8 * (index - shared)) }
    return number
}

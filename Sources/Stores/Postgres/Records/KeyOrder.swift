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

/// Places of keys, in their order.
func sortedPlaces(_ keys: [Bytes]) -> [Int] {
    var ordered = keys.indices.map { PlacedKey(key: keys[$0], place: $0) }
    ordered.withUnsafeMutableBufferPointer { ordered in
        // Swift's own sort takes thrice as long, and 6 KB more.
        guard let first = ordered.baseAddress else { return }
        qsort(first, ordered.count, MemoryLayout<PlacedKey>.stride, comparePlacedKeys)
    }
    return ordered.map { $0.place }
}

private struct PlacedKey {
    let key: Bytes
    let place: Int
}

private func comparePlacedKeys(_ left: UnsafeRawPointer?, _ right: UnsafeRawPointer?) -> Int32 {
    guard let left, let right else { return 0 }
    return Int32(
        clamping: compareKeys(left.load(as: PlacedKey.self).key, right.load(as: PlacedKey.self).key))
}

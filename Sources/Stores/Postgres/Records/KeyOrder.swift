internal import CSKANSystem
internal import SKANSystem

/// Keys as bytes: below 0, 0 or above it, as for memcmp.
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
    keys.indices.sorted { compareKeys(keys[$0], keys[$1]) < 0 }
}

/// XXH64 with seed 0 (xxHash, "XXH64 algorithm description"), the checksum of a record.
package func xxh64(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    guard let base = bytes.baseAddress else { return 0xEF46_DB37_51D8_E999 }
    var hash: UInt64
    var offset = 0
    let count = bytes.count

    if count >= 32 {
        var lane1 = prime1 &+ prime2
        var lane2 = prime2
        var lane3: UInt64 = 0
        var lane4 = 0 &- prime1
        while count &- offset >= 32 {
            lane1 = mixed(lane1, word(base, offset))
            lane2 = mixed(lane2, word(base, offset &+ 8))
            lane3 = mixed(lane3, word(base, offset &+ 16))
            lane4 = mixed(lane4, word(base, offset &+ 24))
            offset &+= 32
        }
        hash = rotated(lane1, 1) &+ rotated(lane2, 7) &+ rotated(lane3, 12) &+ rotated(lane4, 18)
        hash = merged(hash, lane1)
        hash = merged(hash, lane2)
        hash = merged(hash, lane3)
        hash = merged(hash, lane4)
    } else {
        hash = prime5
    }
    hash = hash &+ UInt64(truncatingIfNeeded: count)

    while count &- offset >= 8 {
        hash = rotated(hash ^ mixed(0, word(base, offset)), 27) &* prime1 &+ prime4
        offset &+= 8
    }
    if count &- offset >= 4 {
        let half = UInt64(UInt32(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        hash = rotated(hash ^ (half &* prime1), 23) &* prime2 &+ prime3
        offset &+= 4
    }
    while offset < count {
        let byte = UInt64(base.load(fromByteOffset: offset, as: UInt8.self))
        hash = rotated(hash ^ (byte &* prime5), 11) &* prime1
        offset &+= 1
    }

    hash = (hash ^ hash >> 33) &* prime2
    hash = (hash ^ hash >> 29) &* prime3
    return hash ^ hash >> 32
}

private var prime1: UInt64 { 0x9E37_79B1_85EB_CA87 }
private var prime2: UInt64 { 0xC2B2_AE3D_27D4_EB4F }
private var prime3: UInt64 { 0x1656_67B1_9E37_79F9 }
private var prime4: UInt64 { 0x85EB_CA77_C2B2_AE63 }
private var prime5: UInt64 { 0x27D4_EB2F_1656_67C5 }

@inline(__always)
private func word(_ base: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
}

@inline(__always)
private func rotated(_ value: UInt64, _ bits: UInt64) -> UInt64 { value << bits | value >> (64 &- bits) }

@inline(__always)
private func mixed(_ lane: UInt64, _ input: UInt64) -> UInt64 { rotated(lane &+ input &* prime2, 31) &* prime1 }

@inline(__always)
private func merged(_ hash: UInt64, _ lane: UInt64) -> UInt64 { (hash ^ mixed(0, lane)) &* prime1 &+ prime4 }

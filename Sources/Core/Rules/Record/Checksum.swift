/// The checksum of a record: 64 bits over its little-endian 64-bit words, in four alternating lanes. The last word may
/// overlap the one before it. Each step is reversible, so damage within one word always changes the result. Other
/// damage goes unnoticed with a probability of 2⁻⁶⁴.
package func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let count = bytes.count
    guard let base = bytes.baseAddress else { return 0 }
    var lane0 = UInt64(truncatingIfNeeded: count) ^ 0x9E37_79B9_7F4A_7C15
    var lane1: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    var lane2: UInt64 = 0x1656_67B1_9E37_79F9
    var lane3: UInt64 = 0x27D4_EB2F_1656_67C5
    var offset = 0
    while count &- offset >= 32 {
        lane0 = mixed(lane0, word(base, offset))
        lane1 = mixed(lane1, word(base, offset &+ 8))
        lane2 = mixed(lane2, word(base, offset &+ 16))
        lane3 = mixed(lane3, word(base, offset &+ 24))
        offset &+= 32
    }
    while count &- offset >= 8 {
        let next = mixed(lane0, word(base, offset))
        lane0 = lane1
        lane1 = lane2
        lane2 = lane3
        lane3 = next
        offset &+= 8
    }
    if offset < count { lane0 = mixed(lane0, count >= 8 ? word(base, count &- 8) : tail(base, count)) }
    let sum = mixed(mixed(mixed(lane0, lane1), lane2), lane3)
    return sum
}

/// Reads fewer than eight bytes as a word.
private func tail(_ base: UnsafeRawPointer, _ count: Int) -> UInt64 {
    var word: UInt64 = 0
    for offset in 0..<count { word = word << 8 | UInt64(base.load(fromByteOffset: offset, as: UInt8.self)) }
    return word
}

@inline(__always)
private func word(_ base: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
}

/// Multiplies by an odd factor and shifts, so that any change of a word changes its lane.
@inline(__always)
private func mixed(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    let product = (lane ^ word) &* 0x9E37_79B1_85EB_CA87
    return product ^ product >> 32
}

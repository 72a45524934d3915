internal import SKANSystem

/// The slots of a cluster: each key belongs to one, and each slot is on one node.
enum RedisSlot {
    static var count: Int { 16_384 }

    /// The slot of a full key. It depends only on the text between the first "{" and the next "}", or on the whole key
    /// if there is no such text.
    static func of(_ full: Bytes) -> Int {
        guard let open = full.firstIndex(of: UInt8(ascii: "{")),
            let close = full[(open + 1)...].firstIndex(of: UInt8(ascii: "}")), close > open + 1
        else { return Int(checksum(full)) & (count - 1) }
        return Int(checksum(Bytes(rebasing: full[(open + 1)..<close]))) & (count - 1)
    }

    /// The CRC-16/XMODEM checksum: its polynomial is 0x1021, its initial value 0.
    static func checksum(_ bytes: Bytes) -> UInt16 {
        var sum: UInt16 = 0
        for byte in bytes {
            var high = UInt16(byte) ^ sum >> 8
            high ^= high >> 4
            sum = sum << 8 ^ high << 12 ^ high << 5 ^ high
        }
        return sum
    }
}

/// Pseudo-random numbers from a seed: SplitMix64.
struct Drawing {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var number = state
        number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
        return number ^ number >> 31
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

    /// True with a probability of 1 in `chances`.
    mutating func isOne(of chances: Int) -> Bool { below(chances) == 0 }

    /// The numbers 0..<count in random order.
    mutating func order(_ count: Int) -> [Int] {
        var order: [Int] = []
        for number in 0..<count {
            let place = below(number + 1)
            order.append(number)
            order.swapAt(place, number)
        }
        return order
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 7)
        while bytes.count < count { withUnsafeBytes(of: next()) { bytes += $0 } }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}

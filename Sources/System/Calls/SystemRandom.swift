internal import CSKANSystem

/// Fills a number, or several, with random bits of the system's. False: it has none to give, and `systemError` says why.
package func fillRandom<Bits: BitwiseCopyable>(_ bits: inout Bits) -> Bool {
    let size = MemoryLayout<Bits>.size
    var count: Int
    repeat { count = getrandom(&bits, size, 0) } while count < 0 && systemError == EINTR
    return count == size
}

internal import CSKANSystem

/// The pause before another attempt, after `attempts` of them, in milliseconds: doubled each time up to the longest, and
/// of that a share between a half and all of it by chance, so that clients that failed together do not come back
/// together.
package func retryPause(attempts: UInt32, first: UInt32, longest: UInt32) -> Int64 {
    var whole = Int64(first)
    var attempt: UInt32 = 1
    while attempt < attempts && whole < longest {
        whole *= 2
        attempt += 1
    }
    whole = min(whole, Int64(longest))
    var chance: UInt32 = 0
    if getentropy(&chance, MemoryLayout<UInt32>.size) != 0 { chance = .max }
    return whole - Int64((UInt64(whole / 2) * UInt64(chance)) >> 32)
}

internal import CSKANSystem
internal import SKANCore

/// How laws are tried, and what the store claims to do.
package struct LawSettings: Sendable {
    /// Records and versions outlive the last handle.
    package var isDurable = false
    /// Handles that are open together see the same records.
    package var isShared = false
    /// Of every key.
    package var prefix: [UInt8] = Message("skan-store-kit/").utf8
    package var threads = 4
    /// How often laws repeat what chance may hide.
    package var rounds = 200
    /// Of the generated sequences.
    package var steps = 4000
    /// Of whatever is drawn.
    package var seed: UInt64 = 0

    package init() {}

    /// For runs that need no certain one: short enough to be retyped, and not 0.
    package static func seedOfClock() -> UInt64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        var drawing = Drawing(seed: UInt64(truncatingIfNeeded: now.tv_sec &* 1_000_000_000 &+ now.tv_nsec))
        return drawing.next() >> 32 | 1
    }
}

internal import CSKANSystem
package import SKANCore

/// How laws are tried, and what the store claims to do.
package struct LawSettings: Sendable {
    /// Records and versions outlive the last handle.
    package var isDurable = false
    /// Handles that are open together see the same records.
    package var isShared = false
    /// The beginning of every key.
    package var prefix: [UInt8] = Message("skan-store-kit/").utf8
    package var threads = 4
    /// How often laws repeat what chance may hide.
    package var rounds = 200
    /// The steps of each generated sequence.
    package var steps = 4000
    /// The seed of all random choices.
    package var seed: UInt64 = 0

    package init() {}

    /// What is out of its range; nil where nothing is.
    package var problem: Message? {
        if prefix.count > 64 || prefix.contains(0) { return "prefix: expected at most 64 bytes without NUL" }
        func problem(_ name: StaticString, _ number: Int, _ most: Int, least: Int = 1) -> Message? {
            least...most ~= number ? nil : "\(name): expected \(least)...\(most), got \(number)"
        }
        return problem("threads", threads, 64, least: 2) ?? problem("rounds", rounds, 1_000_000)
            ?? problem("steps", steps, 100_000)
    }

    /// A seed for runs that need no particular one: short enough to be retyped, and not 0.
    package static func seedOfClock() -> UInt64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        var drawing = Drawing(seed: UInt64(truncatingIfNeeded: now.tv_sec &* 1_000_000_000 &+ now.tv_nsec))
        return drawing.next() >> 32 | 1
    }
}

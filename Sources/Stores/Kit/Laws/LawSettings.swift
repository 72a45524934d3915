internal import CSKANSystem
package import SKANCore

/// The settings of a run, and the capabilities that the store claims.
package struct LawSettings: Sendable {
    /// Whether records and versions outlive the last handle.
    package var isDurable = false
    /// Whether handles that are open together see the same records.
    package var isShared = false
    /// The prefix of every key: at most 64 bytes, without NUL.
    package var prefix: [UInt8] = Message("skan-store-kit/").utf8
    package var threads = 4
    /// The number of repetitions of steps that a faulty store fails only by chance.
    package var rounds = 200
    /// The number of steps of each generated sequence.
    package var steps = 4000
    package var seed: UInt64 = 0

    package init() {}

    /// A message about a setting that is out of its range; nil if all are valid.
    package var problem: Message? {
        if prefix.count > 64 || prefix.contains(0) { return "prefix: expected at most 64 bytes without NUL" }
        func problem(_ name: StaticString, _ number: Int, _ most: Int, least: Int = 1) -> Message? {
            least...most ~= number ? nil : "\(name): expected \(least)...\(most), got \(number)"
        }
        return problem("threads", threads, 64, least: 2) ?? problem("rounds", rounds, 1_000_000)
            ?? problem("steps", steps, 100_000)
    }

    /// A seed from the clock: short enough to be retyped, and not 0.
    package static func seedOfClock() -> UInt64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        var drawing = Drawing(seed: UInt64(truncatingIfNeeded: now.tv_sec &* 1_000_000_000 &+ now.tv_nsec))
        return drawing.next() >> 32 | 1
    }
}

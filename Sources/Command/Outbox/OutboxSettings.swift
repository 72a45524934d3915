internal import SKANCommandRows
internal import SKANCommandStores
package import SKANCore
internal import SKANSystem

/// The settings for calls to partners.
package struct OutboxSettings: Sendable {
    /// The number of attempts after which an entry is dead.
    package var attempts: Int64 = 20
    /// Milliseconds after the first attempt, doubled after each other one.
    package var pause: Int64 = 10_000
    package var longestPause: Int64 = 21_600_000
    /// Milliseconds of an attempt.
    package var timeout: Int64 = 10_000
    /// How often the store is searched for entries that others left, in seconds.
    package var search: Int64 = 300

    package init() {}

    /// The number of microseconds for which an entry is a worker's. It is longer than an attempt; another worker takes
    /// the entry only after it.
    var lease: Int64 { timeout * 1000 + 5 * second }

    /// The longest pause after so many attempts, in milliseconds: doubled after each.
    func longestPause(after attempts: Int64) -> Int64 {
        var pause = pause
        var attempt: Int64 = 1
        while attempt < attempts, pause < longestPause {
            pause *= 2
            attempt += 1
        }
        return min(pause, longestPause)
    }

    /// The milliseconds for which a partner that asked for a pause is left alone: no more than the longest pause.
    func asked(_ milliseconds: Int64) -> Int64 { min(max(milliseconds, 0), longestPause) }

    /// The time at which an entry is due: as it says, but at once if that is later than any worker says. Such an entry
    /// was written while the clock was ahead, or the clock has been set back since.
    func due(of entry: OutboxEntry, now: Int64) -> Int64 {
        let pause = max(longestPause(after: entry.attempts), asked(entry.asked / 1000)) * 1000
        let latest = now + pause + lease + clockTolerance
        return entry.due > latest ? now : entry.due
    }
}

/// Takes events of the outbox, with words for each. Any thread.
package typealias OutboxLog = (_ event: StaticString, _ words: Message) -> Void

/// One second in microseconds.
var second: Int64 { 1_000_000 }

/// The number of microseconds for which an entry waits for its postback to be counted before it is given up: no call of
/// a store takes that long.
var givenUpAfter: Int64 { Day.seconds * second }

/// The number of microseconds by which the clocks of processes on one store may differ.
var clockTolerance: Int64 { 60 * second }

/// How long something that a store did not do is left alone, in microseconds.
var storePause: Int64 { 5 * second }

/// Whom an outbox tells, and what decodes what it tells them. It does not change; another takes its place.
final class OutboxSources {
    let networks: Networks
    let rows: RowSources

    init(_ networks: Networks, _ models: PartnerModels, _ campaigns: Campaigns) {
        self.networks = networks
        rows = models.rowSources(campaigns)
    }
}

import SKANCommandRows
import SKANCommandStores
package import SKANCore
import SKANSystem

/// The settings for calls to partners.
package struct OutboxSettings: Sendable {
    /// The number of attempts after which an entry is dead.
    package var attempts: Int64 = 20
    /// The longest pause after the first attempt, in milliseconds. It doubles with each further attempt.
    package var pause: Int64 = 10_000
    package var longestPause: Int64 = 21_600_000
    /// The timeout of an attempt in milliseconds.
    package var timeout: Int64 = 10_000
    /// The interval in seconds between searches of the store for entries that other processes left.
    package var search: Int64 = 300

    package init() {}

    /// How long a worker owns an entry that it took, in microseconds. It is longer than an attempt's timeout. Only
    /// afterwards may another worker take the entry.
    var lease: Int64 { timeout * 1000 + 5 * second }

    /// Returns the longest pause after this many attempts, in milliseconds. It doubles with each attempt up to
    /// `longestPause`.
    func longestPause(after attempts: Int64) -> Int64 {
        var pause = pause
        var attempt: Int64 = 1
        while attempt < attempts, pause < longestPause {
            pause *= 2
            attempt += 1
        }
        return min(pause, longestPause)
    }

    /// Returns the pause that a partner asked for, in milliseconds, but at most `longestPause`.
    func asked(_ milliseconds: Int64) -> Int64 { min(max(milliseconds, 0), longestPause) }

    /// Returns the time at which an entry is due. This is its stored due time, or `now` if the stored time is later
    /// than any worker sets, because the clock was ahead when the entry was written, or has been set back since.
    func due(of entry: OutboxEntry, now: Int64) -> Int64 {
        let pause = max(longestPause(after: entry.attempts), asked(entry.asked / 1000)) * 1000
        let latest = now + pause + lease + clockTolerance
        return entry.due > latest ? now : entry.due
    }
}

/// A function that logs an event of the outbox with a text. May be called on any thread.
package typealias OutboxLog = (_ event: StaticString, _ words: Message) -> Void

/// One second in microseconds.
var second: Int64 { 1_000_000 }

/// How long an entry waits for its postback to be counted before it is given up, in microseconds. It is far longer than
/// any call of a store takes.
var givenUpAfter: Int64 { Day.seconds * second }

/// The maximum difference in microseconds between the clocks of processes on one store.
var clockTolerance: Int64 { 60 * second }

/// The pause in microseconds before an operation that failed in the store is tried again.
var storePause: Int64 { 5 * second }

/// The partners that an outbox reports to, and the models that decode their postbacks. Immutable; replaced as a whole.
final class OutboxSources {
    let networks: Networks
    let rows: RowSources

    init(_ networks: Networks, _ models: PartnerModels, _ campaigns: Campaigns) {
        self.networks = networks
        rows = models.rowSources(campaigns)
    }
}

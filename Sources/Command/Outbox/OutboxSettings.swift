import SKANCommandRows
import SKANCommandStores
package import SKANCore
import SKANSystem

/// The settings for calls to partners.
package struct OutboxSettings: Sendable {
    /// The number of attempts after which an entry is dead.
    package var attempts: Int64 = 20
    /// The pause after the first attempt in milliseconds; it doubles with each further attempt.
    package var pause: Int64 = 10_000
    package var longestPause: Int64 = 21_600_000
    /// The timeout of an attempt in milliseconds.
    package var timeout: Int64 = 10_000
    /// The interval in seconds between searches of the store for entries that other processes left.
    package var search: Int64 = 300

    package init() {}

    /// How long a worker owns an entry, in microseconds. Longer than an attempt; only afterwards may another worker
    /// take it.
    var lease: Int64 { timeout * 1000 + 5 * second }

    /// The longest pause after this many attempts, in milliseconds; it doubles with each attempt.
    func longestPause(after attempts: Int64) -> Int64 {
        var pause = pause
        var attempt: Int64 = 1
        while attempt < attempts, pause < longestPause {
            pause *= 2
            attempt += 1
        }
        return min(pause, longestPause)
    }

    /// The pause in milliseconds for a partner that asked for one: at most the longest pause.
    func asked(_ milliseconds: Int64) -> Int64 { min(max(milliseconds, 0), longestPause) }

    /// The time at which an entry is due: its stored due time, or now if no worker could have set one so late. In that
    /// case the clock was ahead when the entry was written, or has been set back since.
    func due(of entry: OutboxEntry, now: Int64) -> Int64 {
        let pause = max(longestPause(after: entry.attempts), asked(entry.asked / 1000)) * 1000
        let latest = now + pause + lease + clockTolerance
        return entry.due > latest ? now : entry.due
    }
}

/// Receives the outbox's events, each with a text. May be called on any thread.
package typealias OutboxLog = (_ event: StaticString, _ words: Message) -> Void

/// One second in microseconds.
var second: Int64 { 1_000_000 }

/// How long an entry waits for its postback to be counted before it is given up, in microseconds. No call of a store
/// takes that long.
var givenUpAfter: Int64 { Day.seconds * second }

/// The maximum difference in microseconds between the clocks of processes on one store.
var clockTolerance: Int64 { 60 * second }

/// The pause in microseconds before a failed operation of the store is tried again.
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

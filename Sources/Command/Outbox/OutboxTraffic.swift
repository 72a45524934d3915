import CSKANSupport
import SKANCommandStores
import SKANHTTPClient
import SKANSystem

/// The state that the threads of an outbox share: known entries, calls under way, and finished calls whose results are
/// not recorded yet.
final class OutboxTraffic: @unchecked Sendable {
    private let monitor = Monitor()
    private let queue = DueQueue(capacity: knownMost)
    private var finished: [OutboxAttempt] = []
    private var underWay = 0
    private var turns = PartnerTurns()
    private var sources: OutboxSources
    /// Whether the store may have due entries that are not in the queue.
    private var isPartial = false
    /// The time until which to wait for calls under way, on the clock of `millisecondsNow`; nil until `stop`.
    private var stopBy: Int64?

    init(_ sources: OutboxSources) { self.sources = sources }

    /// Replaces the sources for entries taken from now on. Also begins a search of the store at once, since the new
    /// sources may report entries that the old ones could not.
    func replace(_ next: OutboxSources) {
        monitor.hold {
            sources = next
            isPartial = true
            let now = support_now()
            for entry in turns.takeAll() { queue.putBack(entry, due: now) }
            monitor.signal()
        }
    }

    /// The numbers of known entries and of calls under way.
    var counts: (known: Int, underWay: Int) { monitor.hold { (queue.count, underWay) } }

    // MARK: Entries

    /// Adds the entries of a postback that was just counted, so that they can be reported at once.
    func activate(_ keys: [[UInt8]], due: Int64) {
        monitor.hold {
            for key in keys { add(key, due: due, isActivated: true) }
            monitor.signal()
        }
    }

    /// Adds an entry that was found in the store.
    func note(_ key: [UInt8], due: Int64) { monitor.hold { add(key, due: due, isActivated: false) } }

    private func add(_ key: [UInt8], due: Int64, isActivated: Bool) {
        if case .known = queue.add(key, due: due, isActivated: isActivated) { return }
        isPartial = true
    }

    func beginSearch() { monitor.hold { isPartial = false } }

    func putBack(_ entry: DueEntry, due: Int64) { monitor.hold { queue.putBack(entry, due: due) } }

    func forget(_ entry: DueEntry) { monitor.hold { queue.forget(entry) } }

    func isActivated(_ entry: DueEntry) -> Bool { monitor.hold { entry.isActivated } }

    // MARK: Attempts

    /// Takes due entries, as many as may be reported at once. Each counts as an attempt under way until `begin` is
    /// called with the attempts that really begin.
    func takeDue() -> [OutboxAttempt] {
        let now = support_now()
        var taken: [OutboxAttempt] = []
        monitor.hold {
            for _ in 0..<lookedAt {
                guard underWay < atOnce, let known = takeOne(now) else { break }
                guard let name = known.key.withUnsafeBytes({ OutboxEntryName($0) }) else {
                    queue.forget(known)
                    continue
                }
                let attempt = OutboxAttempt(known, name, sources)
                if let partner = attempt.partner, !turns.mayBegin(partner.id, atOnce: atOnceOfOne, millisecondsNow()) {
                    wait(known, for: partner)
                } else {
                    count(attempt, 1)
                    taken.append(attempt)
                }
            }
        }
        return taken
    }

    private func takeOne(_ now: Int64) -> DueEntry? {
        guard let waited = turns.takeReady(atOnce: atOnceOfOne, millisecondsNow()) else { return queue.takeDue(now) }
        queue.takeAnew(waited)
        return waited
    }

    private func wait(_ known: DueEntry, for partner: Partner) {
        if turns.waiting < waitingMost { return turns.wait(known, for: partner.id) }
        queue.forget(known)
        isPartial = true
    }

    /// The maximum number of concurrent attempts for one partner. It is a quarter of `atOnce` if there are other
    /// partners, so that a slow one does not hold them up.
    private var atOnceOfOne: Int { sources.networks.partnerCount > 1 ? atOnce / 4 : atOnce }

    /// `moment` is on the clock of `millisecondsNow`.
    func hold(_ partner: Partner, until moment: Int64) { monitor.hold { turns.hold(partner.id, until: moment) } }

    /// Counts `attempts` as under way, and no longer counts the other attempts in `taken`.
    func begin(_ attempts: [OutboxAttempt], of taken: [OutboxAttempt]) {
        monitor.hold {
            for attempt in taken { count(attempt, -1) }
            for attempt in attempts { count(attempt, 1) }
        }
    }

    /// May be called on any thread.
    func finish(_ attempt: OutboxAttempt, _ outcome: HTTPOutcome) {
        monitor.hold {
            attempt.outcome = outcome
            finished.append(attempt)
            monitor.signal()
        }
    }

    private func count(_ attempt: OutboxAttempt, _ change: Int) {
        underWay += change
        if let partner = attempt.partner { turns.count(partner.id, change) }
    }

    /// Takes the attempts that have ended and whose results are not recorded yet.
    func takeFinished() -> [OutboxAttempt] { monitor.hold { takeOver() } }

    private func takeOver() -> [OutboxAttempt] {
        let taken = finished
        finished.removeAll()
        for attempt in taken { count(attempt, -1) }
        return taken
    }

    // MARK: The worker's thread

    struct Work {
        let finished: [OutboxAttempt]
        let mayBegin: Bool
        let searches: Bool
    }

    /// Waits until there is work; returns nil after `stop`.
    ///
    /// - Parameter nextSearch: The time of the next search step, on the clock of `millisecondsNow`.
    func nextWork(nextSearch: Int64) -> Work? {
        monitor.hold {
            while stopBy == nil {
                let now = support_now()
                let finished = takeOver()
                let due = underWay < atOnce ? queue.nextDue : .max
                let turn = underWay < atOnce ? turns.nextReady(atOnce: atOnceOfOne) : .max
                let monotonic = millisecondsNow()
                let search = isPartial && queue.count < knownMost / 2 ? 0 : nextSearch
                let mayBegin = due <= now || turn <= monotonic
                if !finished.isEmpty || mayBegin || search <= monotonic {
                    return Work(finished: finished, mayBegin: mayBegin, searches: search <= monotonic)
                }
                // Waits at most a second, so that changes of the system clock do no harm.
                let pause = min(due, now + second) - now
                _ = monitor.wait(until: min(search, turn, monotonic + (pause + 999) / 1000))
            }
            return nil
        }
    }

    /// Makes `nextWork` return nil. Calls under way may take until `moment`, on the clock of `millisecondsNow`.
    func stop(by moment: Int64) {
        monitor.hold {
            stopBy = moment
            monitor.signal()
        }
    }

    /// After `stop`, waits for calls under way to end. Returns nil if there are none left or the time is over.
    func nextFinished() -> [OutboxAttempt]? {
        monitor.hold {
            while underWay > 0 || !finished.isEmpty {
                let finished = takeOver()
                if !finished.isEmpty { return finished }
                guard let stopBy, monitor.wait(until: stopBy) else { return nil }
            }
            return nil
        }
    }
}

/// The maximum number of entries in memory. Beyond that, the entries that are due last stay in the store until a later
/// search.
private var knownMost: Int { 100_000 }
private var atOnce: Int { 64 }
/// The maximum number of entries that wait for their partner's turn. It is less than `knownMost`, so that there is
/// always room for other partners' entries.
private var waitingMost: Int { 75_000 }
/// The maximum number of due entries that `takeDue` examines to find some whose partners may be called now.
private var lookedAt: Int { 4096 }

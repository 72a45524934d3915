internal import CSKANSupport
internal import SKANCommandStores
internal import SKANHTTPClient
internal import SKANSystem

/// What the threads of an outbox share: the entries that are known, the calls that are under way, and those that are
/// over and not written down.
final class OutboxTraffic: @unchecked Sendable {
    private let monitor = Monitor()
    private let queue = DueQueue(capacity: knownMost)
    private var finished: [OutboxAttempt] = []
    private var underWay = 0
    private var turns = PartnerTurns()
    private var sources: OutboxSources
    /// The store may have entries that are due and not in the queue.
    private var isPartial = false
    /// The time at which to end, on the clock of `millisecondsNow`; nil: not yet.
    private var stopBy: Int64?

    init(_ sources: OutboxSources) { self.sources = sources }

    /// Replaces the sources for entries that are taken from now on. The store is searched at once for entries that the
    /// sources before could not report.
    func replace(_ next: OutboxSources) {
        monitor.hold {
            sources = next
            isPartial = true
            let now = support_now()
            for entry in turns.takeAll() { queue.putBack(entry, due: now) }
            monitor.signal()
        }
    }

    /// How many entries are known, and how many calls are under way.
    var counts: (known: Int, underWay: Int) { monitor.hold { (queue.count, underWay) } }

    // MARK: Entries

    /// Activates the entries of a postback that was counted.
    func activate(_ keys: [[UInt8]], due: Int64) {
        monitor.hold {
            for key in keys { add(key, due: due, isActivated: true) }
            monitor.signal()
        }
    }

    /// An entry was found in the store.
    func note(_ key: [UInt8], due: Int64) { monitor.hold { add(key, due: due, isActivated: false) } }

    private func add(_ key: [UInt8], due: Int64, isActivated: Bool) {
        if case .known = queue.add(key, due: due, isActivated: isActivated) { return }
        isPartial = true
    }

    /// A search of the whole store begins.
    func beginSearch() { monitor.hold { isPartial = false } }

    func putBack(_ entry: DueEntry, due: Int64) { monitor.hold { queue.putBack(entry, due: due) } }

    func forget(_ entry: DueEntry) { monitor.hold { queue.forget(entry) } }

    func isActivated(_ entry: DueEntry) -> Bool { monitor.hold { entry.isActivated } }

    // MARK: Attempts

    /// Takes the entries that are due, as many as may be told at once. They are under way until `begin` says which of
    /// them are.
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

    /// The greatest number of attempts at once for one partner: while there are others, a slow one does not hold them
    /// up.
    private var atOnceOfOne: Int { sources.networks.partnerCount > 1 ? atOnce / 4 : atOnce }

    /// Leaves a partner alone until a moment on the clock of `millisecondsNow`.
    func hold(_ partner: Partner, until moment: Int64) { monitor.hold { turns.hold(partner.id, until: moment) } }

    /// Begins some of the attempts that were taken. The others are not under way any more.
    func begin(_ attempts: [OutboxAttempt], of taken: [OutboxAttempt]) {
        monitor.hold {
            for attempt in taken { count(attempt, -1) }
            for attempt in attempts { count(attempt, 1) }
        }
    }

    /// Takes an attempt that is over. Any thread may call it.
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

    /// What is over by now.
    func takeFinished() -> [OutboxAttempt] { monitor.hold { takeOver() } }

    private func takeOver() -> [OutboxAttempt] {
        let taken = finished
        finished.removeAll()
        for attempt in taken { count(attempt, -1) }
        return taken
    }

    // MARK: The worker's thread

    /// What there is to do.
    struct Work {
        let finished: [OutboxAttempt]
        let mayBegin: Bool
        let searches: Bool
    }

    /// Waits until there is something to do; nil at the end.
    ///
    /// - Parameter nextSearch: When the store is searched on, on the clock of `millisecondsNow`.
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
                // At most a second, so that a clock that is set does no harm.
                let pause = min(due, now + second) - now
                _ = monitor.wait(until: min(search, turn, monotonic + (pause + 999) / 1000))
            }
            return nil
        }
    }

    /// Ends the worker's waiting; what is under way has until a moment on the clock of `millisecondsNow`.
    func stop(by moment: Int64) {
        monitor.hold {
            stopBy = moment
            monitor.signal()
        }
    }

    /// Waits at the end for what is under way; nil if nothing is, or the time is over.
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

/// The most entries in memory. Others that are due later stay in the store until a later search.
private var knownMost: Int { 100_000 }
private var atOnce: Int { 64 }
/// The most entries that wait for their partners' turns, so that there is room in memory for those of others.
private var waitingMost: Int { 75_000 }
/// The most entries examined at a time to find some whose partners may have more attempts under way.
private var lookedAt: Int { 4096 }

internal import CSKANSupport
internal import SKANCommandStores
internal import SKANCore
internal import SKANHTTPClient
internal import SKANSystem

/// What came of calling partners, written down.
final class OutboxResults {
    private let context: OutboxContext
    private var random: UInt64
    /// The time of the next complaint, on the clock of `millisecondsNow`.
    private var nextComplaint: Int64 = 0

    /// `random`: bits to draw pauses from.
    init(_ context: OutboxContext, random: UInt64) {
        self.context = context
        self.random = random | 1
    }

    func writeDown(_ attempts: [OutboxAttempt]) {
        for attempt in attempts {
            switch attempt.outcome {
            // The status decides: a body, even one that is too large, is ignored.
            case .answered, .tooLarge: writeSuccess(attempt)
            case .cancelled: writeCancelled(attempt)
            case .failed(let why, let retryAfter): writeFailure(attempt, why, retryAfter: retryAfter)
            case nil: writeFailure(attempt, "no answer", retryAfter: nil)
            }
        }
    }

    /// Gives an entry up; nil: for the reason that it has.
    func bury(_ attempt: OutboxAttempt, because reason: Message?) {
        attempt.entry.state = .dead
        if let reason { note(reason, in: attempt) }
        guard context.save(attempt) == .ok else {
            // Looked at again: it is dead then, another worker's, or there to be buried.
            context.traffic.putBack(attempt.known, due: support_now() + storePause)
            return
        }
        context.counts.countGivenUp()
        complain(of: attempt, "is given up", Message(utf8: attempt.entry.reason))
        context.traffic.forget(attempt.known)
    }

    /// So much of it as a record holds.
    private func note(_ reason: Message, in attempt: OutboxAttempt) {
        attempt.entry.reason = [UInt8](reason.utf8.prefix(255))
    }

    private func writeSuccess(_ attempt: OutboxAttempt) {
        context.counts.countDelivered()
        switch context.remove(attempt) {
        case .ok, .storeConflict:
            context.traffic.forget(attempt.known)
        default:
            context.log("outbox", "an entry could not be removed after its delivery, so it is delivered again")
            context.traffic.putBack(attempt.known, due: attempt.entry.due)
        }
    }

    /// It was not the partner's failure: tried again by whoever comes next.
    private func writeCancelled(_ attempt: OutboxAttempt) {
        attempt.entry.attempts -= 1
        attempt.entry.due = support_now()
        saveAndPutBack(attempt)
    }

    /// `retryAfter`: the milliseconds for which the partner asked to be left alone. None of its entries is told before.
    private func writeFailure(_ attempt: OutboxAttempt, _ why: Message, retryAfter: Int64?) {
        context.counts.countFailed()
        tellFailure(of: attempt, "could not be delivered", why)
        note(why, in: attempt)
        let asked = context.settings.asked(retryAfter ?? 0)
        if asked > 0, let partner = attempt.partner {
            context.traffic.hold(partner, until: millisecondsNow() + asked)
        }
        attempt.entry.asked = asked * 1000
        attempt.entry.due = support_now() + max(pause(after: attempt.entry.attempts), attempt.entry.asked)
        if attempt.entry.attempts >= context.settings.attempts {
            bury(attempt, because: nil)
        } else {
            saveAndPutBack(attempt)
        }
    }

    /// Saves the entry and puts it back. If it cannot be saved it is due once the worker's time is over.
    private func saveAndPutBack(_ attempt: OutboxAttempt) {
        let isSaved = context.save(attempt) == .ok
        let due = isSaved ? attempt.entry.due : support_now() + context.settings.lease
        context.traffic.putBack(attempt.known, due: due)
    }

    /// Logs that an entry was not reported, at most once in ten seconds: a partner that is down fails very often.
    func tellFailure(of attempt: OutboxAttempt, _ what: StaticString, _ why: Message) {
        guard millisecondsNow() >= nextComplaint else { return }
        nextComplaint = millisecondsNow() + 10_000
        complain(of: attempt, what, why)
    }

    private func complain(of attempt: OutboxAttempt, _ what: StaticString, _ why: Message) {
        let name = attempt.name
        context.log("partner", "\(Message(utf8: name.network))/\(Message(utf8: name.partner)) \(what): \(why)")
    }

    /// The pause in microseconds; half of it is drawn, so that partners that come back are not called by all at once.
    private func pause(after attempts: Int64) -> Int64 {
        let half = context.settings.longestPause(after: attempts) * 500
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        return half + (half > 0 ? Int64(random % UInt64(half)) : 0)
    }
}

import CSKANSupport
import SKANCommandStores
import SKANCore
import SKANHTTPClient
import SKANSystem

/// Records the results of calls to partners.
final class OutboxResults {
    private let context: OutboxContext
    private var random: UInt64
    /// The time before which no further failure is logged, on the clock of `millisecondsNow`.
    private var nextComplaint: Int64 = 0

    /// `random`: the seed for random pauses.
    init(_ context: OutboxContext, random: UInt64) {
        self.context = context
        self.random = random | 1
    }

    func writeDown(_ attempts: [OutboxAttempt]) {
        for attempt in attempts {
            switch attempt.outcome {
            // Only the status matters; the body is ignored, even one that is too large.
            case .answered, .tooLarge: writeSuccess(attempt)
            case .cancelled: writeCancelled(attempt)
            case .failed(let why, let retryAfter, _): writeFailure(attempt, why, retryAfter: retryAfter)
            case nil: writeFailure(attempt, "no answer", retryAfter: nil)
            }
        }
    }

    /// Gives an entry up. If `reason` is nil, the entry keeps the reason that it has.
    func bury(_ attempt: OutboxAttempt, because reason: Message?) {
        attempt.entry.state = .dead
        if let reason { note(reason, in: attempt) }
        guard context.save(attempt) == .ok else {
            // The entry is examined again later; another worker may have taken it or given it up by then.
            context.traffic.putBack(attempt.known, due: support_now() + storePause)
            return
        }
        context.counts.countGivenUp()
        complain(of: attempt, "is given up", Message(utf8: attempt.entry.reason))
        context.traffic.forget(attempt.known)
    }

    /// The reason is cut to what a record can hold.
    private func note(_ reason: Message, in attempt: OutboxAttempt) {
        attempt.entry.reason = [UInt8](reason.utf8.prefix(reasonBytes))
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

    /// Records a call that was cancelled when the outbox stopped. The partner did not fail, so the attempt does not
    /// count and the entry is due at once.
    private func writeCancelled(_ attempt: OutboxAttempt) {
        attempt.entry.attempts -= 1
        attempt.entry.due = support_now()
        saveAndPutBack(attempt)
    }

    /// Records a failed call. `retryAfter`: the pause in milliseconds that the partner asked for. Until it is over,
    /// none of the partner's entries is reported.
    private func writeFailure(_ attempt: OutboxAttempt, _ why: Message, retryAfter: Int64?) {
        context.counts.countFailed()
        let place: Message = ", attempt \(attempt.entry.attempts) of \(context.settings.attempts)"
        let reason: Message = "\(why.cut(reasonBytes - place.utf8.count))\(place)"
        tellFailure(of: attempt, "could not be delivered", reason)
        note(reason, in: attempt)
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

    /// Saves the entry and puts it back into the queue. If it cannot be saved, it is due once the worker's lease is
    /// over.
    private func saveAndPutBack(_ attempt: OutboxAttempt) {
        let isSaved = context.save(attempt) == .ok
        let due = isSaved ? attempt.entry.due : support_now() + context.settings.lease
        context.traffic.putBack(attempt.known, due: due)
    }

    /// Logs that an entry was not reported. Logs at most once every ten seconds, since calls of a partner that is down
    /// fail very often.
    func tellFailure(of attempt: OutboxAttempt, _ what: StaticString, _ why: Message) {
        guard millisecondsNow() >= nextComplaint else { return }
        nextComplaint = millisecondsNow() + 10_000
        complain(of: attempt, what, why)
    }

    private func complain(of attempt: OutboxAttempt, _ what: StaticString, _ why: Message) {
        let name = attempt.name
        context.log("partner", "\(Message(utf8: name.network))/\(Message(utf8: name.partner)) \(what): \(why)")
    }

    /// Returns the pause before the next attempt in microseconds. Up to half of it is random, so that servers do not
    /// all call a recovered partner at once.
    private func pause(after attempts: Int64) -> Int64 {
        let half = context.settings.longestPause(after: attempts) * 500
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        return half + (half > 0 ? Int64(random % UInt64(half)) : 0)
    }
}

/// The maximum size of a reason in a record, in bytes.
private var reasonBytes: Int { 255 }

import CSKANSupport
import SKANCore

/// The next step in the work on one record.
package enum Step {
    /// Load the record after a pause of this many microseconds, and report the record.
    case load(after: UInt32)
    /// Save or remove the record if it still has this version, and report the result.
    case save(expected: UInt64)
    case done(Status)
    case fail(Failure)
}

/// How a save or a remove ended (Rules, "Store contract").
package enum WriteEnd {
    case applied
    case conflict
    /// The write was certainly not applied.
    case failed(Message)
    /// The write may have been applied.
    case unknown(Message)
}

/// Rules, "Conflicts", "Unknown saves": the progress of a save or a remove, which is repeated until its result is
/// certain or the time is up. An attempt with an unknown result is in doubt until it is certain that it was not applied
/// and never will be. While it is in doubt, the call can only succeed or fail with STORE_UNKNOWN.
package struct WriteProgress {
    package enum Kind { case save, remove }

    private let kind: Kind
    private var attempts = 0
    /// The time of the first failed attempt, by `support_ticks`.
    private var began: Int64 = 0
    /// The sum of the pauses since the first failed attempt, in microseconds.
    private var paused: Int64 = 0
    private var base = WriteBase(version: 0, writeCount: 0)
    /// The record that the write in doubt was meant to replace; nil if no write is in doubt.
    package private(set) var doubt: WriteBase?

    @inline(__always)
    package init(_ kind: Kind) { self.kind = kind }

    /// Starts an attempt to replace the record that was just loaded.
    @inline(__always)
    mutating func begin(on base: WriteBase) { self.base = base }

    /// Notes that the write in doubt was certainly not applied.
    mutating func endDoubt() { doubt = nil }

    @inline(__always)
    var step: Step { .save(expected: base.version) }

    package mutating func ended(_ end: WriteEnd, _ status: Status) -> Step {
        switch end {
        case .applied:
            return .done(status)
        case .conflict:
            let hook = hook
            return again(
                Failure(.storeConflict, "\(hook): others changed the record before each attempt in 10 seconds"))
        case .failed(let message):
            return failed(Failure(.store, message))
        case .unknown(let message):
            doubt = base
            return again(Failure(.storeUnknown, message))
        }
    }

    package func failed(_ failure: Failure) -> Step { .fail(self.failure(failure)) }

    /// Converts a failure to the one that the call reports: STORE_UNKNOWN if a write is in doubt.
    func failure(_ failure: Failure) -> Failure {
        guard doubt != nil else { return failure }
        let what: StaticString =
            kind == .save ? "a write may have been applied or not" : "the record may have been removed or not"
        return Failure(.storeUnknown, "\(hook): \(what); \(failure.message)")
    }

    private mutating func again(_ failure: @autoclosure () -> Failure) -> Step {
        attempts &+= 1
        let now = support_ticks()
        if attempts == 1 { began = now }
        let pause = pause(attempts)
        paused &+= Int64(pause)
        return max(now &- began, paused) < timeLimit ? .load(after: pause) : failed(failure())
    }

    private var hook: StaticString { kind == .save ? "store.save" : "store.remove" }
}

/// The number of microseconds for which a call tries again: Rules, "Conflicts". Pauses count in full, even those that a
/// driver skips because it must not wait.
private var timeLimit: Int64 { 10_000_000 }

/// The pause before the next attempt, in microseconds. The first attempts follow at once. Later pauses are random, so
/// that several writers do not keep meeting, and grow, so that each of many writers gets its chance.
private func pause(_ attempts: Int) -> UInt32 {
    guard attempts > 3 else { return 0 }
    let longest = UInt32(50) << UInt32(min(attempts &- 3, 8))
    return UInt32(truncatingIfNeeded: support_random()) % longest
}

extension WriteEnd {
    /// Creates the result of a save or a remove from its status. `hook`: the name of the function called, for messages.
    package init(_ status: Status, _ hook: StaticString) {
        switch status {
        case .ok: self = .applied
        case .storeConflict: self = .conflict
        case .store: self = .failed("\(hook): answered SKAN_ERROR_STORE")
        default: self = .unknown("\(hook): answered \(status.name) (\(status.rawValue))")
        }
    }
}

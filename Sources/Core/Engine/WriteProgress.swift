import CSKANSupport
import SKANCore

/// What is to be done next with one record.
package enum Step {
    /// Load the record, after so many microseconds, and report it.
    case load(after: UInt32)
    /// Save the record (or remove it) if it still has this version, and report the end.
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

/// Rules, "Conflicts", "Unknown saves": a save or a remove on its way, tried again until it is certain how it ended.
/// Once one ended unknown, nothing else is answered than STORE_UNKNOWN or success until it is certain that it was not
/// made, and cannot be any more.
struct WriteProgress {
    enum Kind { case save, remove }

    private let kind: Kind
    private var attempts = 0
    private var base = WriteBase(version: 0, writeCount: 0)
    /// The record that a write with unknown outcome was to replace.
    private(set) var doubt: WriteBase?

    @inline(__always)
    init(_ kind: Kind) { self.kind = kind }

    @inline(__always)
    var isFirst: Bool { attempts == 0 }

    /// Starts an attempt: the record just loaded is the one to replace.
    @inline(__always)
    mutating func begin(on base: WriteBase) { self.base = base }

    /// Notes that the write in doubt was certainly not made.
    mutating func endDoubt() { doubt = nil }

    @inline(__always)
    var step: Step { .save(expected: base.version) }

    mutating func ended(_ end: WriteEnd, _ status: Status) -> Step {
        switch end {
        case .applied:
            return .done(status)
        case .conflict:
            let hook = hook
            return again(Failure(.storeConflict, "\(hook): others changed the record before each of 100 attempts"))
        case .failed(let message):
            return failed(Failure(.store, message))
        case .unknown(let message):
            doubt = base
            return again(Failure(.storeUnknown, message))
        }
    }

    func failed(_ failure: Failure) -> Step {
        guard doubt != nil else { return .fail(failure) }
        let what: StaticString =
            kind == .save ? "a write may have been applied or not" : "the record may have been removed or not"
        return .fail(Failure(.storeUnknown, "\(hook): \(what); \(failure.message)"))
    }

    private mutating func again(_ failure: @autoclosure () -> Failure) -> Step {
        attempts &+= 1
        return attempts < attemptLimit ? .load(after: pause(attempts)) : failed(failure())
    }

    private var hook: StaticString { kind == .save ? "store.save" : "store.remove" }
}

/// Rules, "Conflicts": after so many attempts one is answered.
private var attemptLimit: Int { 100 }

/// The first attempts follow at once; then a short pause, drawn at random so that writers do not keep step.
private func pause(_ attempts: Int) -> UInt32 {
    guard attempts > 3 else { return 0 }
    let longest = UInt32(50) << UInt32(min(attempts - 3, 6))
    return UInt32(truncatingIfNeeded: support_random()) % longest
}

extension WriteEnd {
    /// What a hook of C's, or a store that answers by a status, did with a save or a remove.
    package init(_ status: Status, _ hook: StaticString) {
        switch status {
        case .ok: self = .applied
        case .storeConflict: self = .conflict
        case .store: self = .failed("\(hook): answered SKAN_ERROR_STORE")
        default: self = .unknown("\(hook): answered \(status.name) (\(status.rawValue))")
        }
    }
}

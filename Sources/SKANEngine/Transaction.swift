import CSupport
import SKANCore

/// Load, run a rule, save, and again where others came in between: everything the store contract asks for, without a
/// store. A driver does what each step says and reports what came of it.
///
/// A write that ended unknown is looked for by its id whenever the record is loaded again; until it is certain that it was
/// not applied, and cannot be any more, nothing else is answered than STORE_UNKNOWN or success.
package struct Transaction<R: Rule> {
    package private(set) var rule: R
    /// The state to be saved, after a step `save`.
    package private(set) var state: InstallState
    private let writeID: UInt32
    private var status = Status.ok
    private var attempts = 0
    private var base: Base
    /// The state on which a write ended unknown.
    private var doubt: Base?

    /// A version of a record, and how many writes it counts.
    private struct Base {
        var version: UInt64
        var writes: UInt64
    }

    package init(_ rule: R, _ protocolVersion: ProtocolVersion) {
        self.rule = rule
        state = InstallState(protocolVersion)
        writeID = UInt32(truncatingIfNeeded: support_random()) | 1
        base = Base(version: 0, writes: 0)
    }

    /// The record was loaded; nil where there is none.
    package mutating func loaded(_ record: UnsafeRawBufferPointer?, version: UInt64) -> Step {
        do throws(Failure) {
            return try run(record, version)
        } catch {
            return .fail(doubt == nil ? error : unknown("then \(String(decoding: error.message, as: UTF8.self))"))
        }
    }

    private mutating func run(_ record: UnsafeRawBufferPointer?, _ version: UInt64) throws(Failure) -> Step {
        let protocolVersion = state.protocolVersion
        if let record {
            state = try Record.read(record)
            guard state.protocolVersion == protocolVersion else {
                let found = state.protocolVersion
                state = InstallState(protocolVersion)
                throw Failure(
                    .misuse,
                    "engine: speaks SKAN \(protocolVersion.rawValue), the install's record is of SKAN \(found.rawValue)")
            }
        } else {
            state = InstallState(protocolVersion)
        }
        if let doubt {
            if state.isStored, state.writes.contains(writeID) { return .done(status) }
            guard version == doubt.version || isProvenUnapplied(doubt) else {
                throw Failure(.storeUnknown, "the record is another one now, or was written too often since")
            }
            if version != doubt.version { self.doubt = nil }
        }
        base = Base(version: version, writes: state.writes.count)

        let verdict = try rule.run(on: &state)
        status = verdict.status
        guard verdict.isChanged else { return .done(status) }
        if !state.isStored { state.writes = .new(startingAt: support_random()) }
        state.writes.add(writeID)
        return .save(expected: version)
    }

    /// Whether the record goes on from the one in doubt and still names all writes since, ours not among them.
    private func isProvenUnapplied(_ doubt: Base) -> Bool {
        state.isStored && doubt.version != 0 && state.writes.count &- doubt.writes < 8
    }

    package mutating func loadFailed(_ message: String) -> Step {
        .fail(doubt == nil ? Failure(.store, message) : unknown("then \(message)"))
    }

    /// The store answered a save.
    package mutating func saved(_ end: WriteEnd) -> Step {
        switch end {
        case .applied:
            return .done(status)
        case .conflict:
            return again(.storeConflict, nil)
        case .failed(let message):
            return .fail(doubt == nil ? Failure(.store, message) : unknown("then \(message)"))
        case .unknown(let message):
            doubt = base
            return again(.storeUnknown, message)
        }
    }

    private mutating func again(_ status: Status, _ message: String?) -> Step {
        attempts &+= 1
        guard attempts >= attemptLimit else { return .load(after: pause(attempts)) }
        let message = message ?? "store.save: others changed the record before each of \(attemptLimit) attempts"
        return .fail(doubt == nil ? Failure(status, message) : unknown(message))
    }

    private func unknown(_ message: String) -> Failure {
        Failure(.storeUnknown, "store.save: a write may have been applied or not; \(message)")
    }
}

/// What a driver does next.
package enum Step {
    /// Load the record, after so many microseconds, and report it.
    case load(after: UInt32)
    /// Save the record (or remove it) if it still has this version, and report the end.
    case save(expected: UInt64)
    case done(Status)
    case fail(Failure)
}

/// How a save or a remove ended (see DESIGN, "Store contract").
package enum WriteEnd {
    case applied
    case conflict
    /// Certainly not applied.
    case failed(String)
    /// May have been applied.
    case unknown(String)
}

/// Removes a record, whatever it holds.
package struct Removal {
    private var attempts = 0
    private var doubt: UInt64?
    private var expected: UInt64 = 0

    package init() {}

    /// The record was loaded; nil where there is none.
    package mutating func loaded(version: UInt64?) -> Step {
        guard let version else { return .done(.ok) }
        if let doubt, version != doubt { return .fail(unknown("the record is another one now")) }
        expected = version
        return .save(expected: version)
    }

    package mutating func loadFailed(_ message: String) -> Step {
        .fail(doubt == nil ? Failure(.store, message) : unknown("then \(message)"))
    }

    package mutating func removed(_ end: WriteEnd) -> Step {
        switch end {
        case .applied:
            return .done(.ok)
        case .conflict:
            return again(.storeConflict, nil)
        case .failed(let message):
            return .fail(doubt == nil ? Failure(.store, message) : unknown("then \(message)"))
        case .unknown(let message):
            doubt = expected
            return again(.storeUnknown, message)
        }
    }

    private mutating func again(_ status: Status, _ message: String?) -> Step {
        attempts &+= 1
        guard attempts >= attemptLimit else { return .load(after: pause(attempts)) }
        let message = message ?? "store.remove: others changed the record before each of \(attemptLimit) attempts"
        return .fail(doubt == nil ? Failure(status, message) : unknown(message))
    }

    private func unknown(_ message: String) -> Failure {
        Failure(.storeUnknown, "store.remove: the record may have been removed or not; \(message)")
    }
}

private var attemptLimit: Int { 100 }

/// The first attempts follow at once; then a short pause, drawn at random so that writers do not keep step.
private func pause(_ attempts: Int) -> UInt32 {
    guard attempts > 3 else { return 0 }
    let longest = UInt32(50) << UInt32(min(attempts - 3, 6))
    return UInt32(truncatingIfNeeded: support_random()) % longest
}

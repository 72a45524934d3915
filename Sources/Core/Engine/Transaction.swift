import CSKANSupport
import SKANCore

/// Load, run a rule, save, and again where others came in between: everything that Rules, "Conflicts", "Unknown saves"
/// ask for, without a store. A driver does what each step says and reports what came of it.
package struct Transaction<R: Rule>: ~Copyable {
    package private(set) var rule: R
    private var writing: Writing

    @inline(__always)
    package init(_ rule: R, _ protocolVersion: ProtocolVersion) {
        self.rule = rule
        writing = Writing(protocolVersion)
    }

    /// The state after the rule ran: what is to be saved, after a step `save`.
    package var state: InstallState {
        @inline(__always)
        _read { yield writing.state }
    }

    /// The record was loaded; nil where there is none. `isOwn`: it never left this process' memory.
    @inline(__always)
    package mutating func loaded(_ record: UnsafeRawBufferPointer?, version: UInt64, isOwn: Bool = false) -> Step {
        do throws(Failure) {
            if let end = try writing.begin(record, version, isOwn: isOwn) { return .done(end) }
            return writing.end(try rule.run(on: &writing.state), isOwn: isOwn)
        } catch {
            return writing.failed(error)
        }
    }

    package mutating func loadFailed(_ message: Message) -> Step { writing.loadFailed(message) }

    /// After a step `save`: how many bytes `writeRecord` takes at most.
    @inline(__always)
    package var recordBound: Int { Record.sizeBound(writing.state) }

    /// Writes the record to be saved; answers its length.
    @inline(__always)
    package mutating func writeRecord(to memory: UnsafeMutableRawPointer, isOwn: Bool = false) -> Int {
        Record.write(&writing.state, isOwn: isOwn, to: memory)
    }

    /// The store answered a save.
    package mutating func saved(_ end: WriteEnd) -> Step { writing.saved(end) }

    /// For a driver that is compiled once for all rules: the part that does not depend on the rule, and the rule in an
    /// object.
    @inline(__always)
    package mutating func drive(
        _ driver: (inout Writing, any RuleObject) throws(Failure) -> Status
    ) throws(Failure) -> Status {
        let object = Ruling(rule)
        defer { rule = object.rule }
        return try driver(&writing, object)
    }
}

/// A rule of any type.
package protocol RuleObject: AnyObject {
    func run(on state: inout InstallState) throws(Failure) -> Verdict
}

package final class Ruling<R: Rule>: RuleObject {
    package private(set) var rule: R

    package init(_ rule: R) { self.rule = rule }

    package func run(on state: inout InstallState) throws(Failure) -> Verdict {
        // Not in place: a rule must not hold the object while it runs.
        var rule = rule
        defer { self.rule = rule }
        return try rule.run(on: &state)
    }
}

/// A rule in an object. Rules that run rarely, or where a call waits for more than memory, are run as this one: all the
/// code around a rule is compiled for each type of them.
package struct AnyRule: Rule {
    private let object: any RuleObject

    package init(_ object: any RuleObject) { self.object = object }

    package mutating func run(on state: inout InstallState) throws(Failure) -> Verdict { try object.run(on: &state) }
}

/// The part of a transaction that does not depend on its rule.
///
/// Rules, "Unknown saves": a write that ended unknown is looked for by its id whenever the record is loaded again;
/// until it is certain that it was not applied, and cannot be any more, nothing else is answered than STORE_UNKNOWN or
/// success.
package struct Writing: ~Copyable {
    fileprivate var state: InstallState
    private let protocolVersion: ProtocolVersion
    /// Drawn for the first save; 0 before.
    private var writeID: UInt32 = 0
    private var status = Status.ok
    private var attempts = 0
    private var base = Base(version: 0, writes: 0)
    /// The state on which a write ended unknown.
    private var doubt: Base?

    /// A version of a record, and how many writes it counts.
    private struct Base {
        var version: UInt64
        var writes: UInt64
    }

    @inline(__always)
    fileprivate init(_ protocolVersion: ProtocolVersion) {
        self.protocolVersion = protocolVersion
        state = InstallState(protocolVersion)
    }

    /// As those of a transaction.
    package mutating func loaded(_ record: UnsafeRawBufferPointer?, version: UInt64, _ rule: any RuleObject) -> Step {
        do throws(Failure) {
            if let end = try begin(record, version, isOwn: false) { return .done(end) }
            return end(try rule.run(on: &state), isOwn: false)
        } catch {
            return failed(error)
        }
    }

    package mutating func loadFailed(_ message: Message) -> Step { failed(Failure(.store, message)) }

    package var recordBound: Int { Record.sizeBound(state) }

    package mutating func writeRecord(to memory: UnsafeMutableRawPointer) -> Int {
        Record.write(&state, isOwn: false, to: memory)
    }

    /// Reads what was loaded. Answers a status where the transaction is over: a write that ended unknown is there.
    fileprivate mutating func begin(
        _ record: UnsafeRawBufferPointer?, _ version: UInt64, isOwn: Bool
    ) throws(Failure) -> Status? {
        if attempts > 0 { state = InstallState(protocolVersion) }
        if let record {
            try Record.read(record, isOwn: isOwn, into: &state)
            guard state.protocolVersion == protocolVersion else {
                let (ours, found) = (protocolVersion.rawValue, state.protocolVersion.rawValue)
                throw Failure(.misuse, "engine: speaks SKAN \(ours), the install's record is of SKAN \(found)")
            }
        }
        if let doubt {
            if state.isStored, state.writes.contains(writeID) { return status }
            guard version == doubt.version || isProvenUnapplied(doubt) else {
                throw Failure(.storeUnknown, "the record is another one now, or was written too often since")
            }
            if version != doubt.version { self.doubt = nil }
        }
        base = Base(version: version, writes: state.writes.count)
        return nil
    }

    /// Whether the record goes on from the one in doubt and still names all writes since, ours not among them.
    private func isProvenUnapplied(_ doubt: Base) -> Bool {
        state.isStored && doubt.version != 0 && state.writes.count &- doubt.writes < 8
    }

    /// The rule ran.
    @inline(__always)
    fileprivate mutating func end(_ verdict: Verdict, isOwn: Bool) -> Step {
        status = verdict.status
        guard verdict.isChanged else { return .done(status) }
        if !state.isStored { state.writes = .new(startingAt: support_random()) }
        // In this process' memory no write ends unknown, and none has to be found again.
        if !isOwn { addWrite() }
        return .save(expected: base.version)
    }

    private mutating func addWrite() {
        while writeID == 0 { writeID = UInt32(truncatingIfNeeded: support_random()) }
        state.writes.add(writeID)
    }

    fileprivate func failed(_ failure: Failure) -> Step {
        .fail(doubt == nil ? failure : unknown(failure.message))
    }

    package mutating func saved(_ end: WriteEnd) -> Step {
        switch end {
        case .applied:
            return .done(status)
        case .conflict:
            return again(Failure(.storeConflict, "store.save: others changed the record before each of 100 attempts"))
        case .failed(let message):
            return failed(Failure(.store, message))
        case .unknown(let message):
            doubt = base
            return again(Failure(.storeUnknown, message))
        }
    }

    private mutating func again(_ failure: @autoclosure () -> Failure) -> Step {
        attempts &+= 1
        return attempts < attemptLimit ? .load(after: pause(attempts)) : failed(failure())
    }

    private func unknown(_ message: Message) -> Failure {
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

/// How a save or a remove ended (Rules, "Store contract").
package enum WriteEnd {
    case applied
    case conflict
    /// Certainly not applied.
    case failed(Message)
    /// May have been applied.
    case unknown(Message)
}

/// Rules, "Forget", "Unknown saves": removes a record, whatever it holds.
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

    package mutating func loadFailed(_ message: Message) -> Step { failed(Failure(.store, message)) }

    package mutating func removed(_ end: WriteEnd) -> Step {
        switch end {
        case .applied:
            return .done(.ok)
        case .conflict:
            return again(Failure(.storeConflict, "store.remove: others changed the record before each of 100 attempts"))
        case .failed(let message):
            return failed(Failure(.store, message))
        case .unknown(let message):
            doubt = expected
            return again(Failure(.storeUnknown, message))
        }
    }

    private func failed(_ failure: Failure) -> Step {
        .fail(doubt == nil ? failure : unknown(failure.message))
    }

    private mutating func again(_ failure: @autoclosure () -> Failure) -> Step {
        attempts &+= 1
        return attempts < attemptLimit ? .load(after: pause(attempts)) : failed(failure())
    }

    private func unknown(_ message: Message) -> Failure {
        Failure(.storeUnknown, "store.remove: the record may have been removed or not; \(message)")
    }
}

/// Rules, "Conflicts": after so many attempts one is answered.
private var attemptLimit: Int { 100 }

/// The first attempts follow at once; then a short pause, drawn at random so that writers do not keep step.
private func pause(_ attempts: Int) -> UInt32 {
    guard attempts > 3 else { return 0 }
    let longest = UInt32(50) << UInt32(min(attempts - 3, 6))
    return UInt32(truncatingIfNeeded: support_random()) % longest
}

/// A change to one install's state. It runs between load and save, and again on the newer state if others changed the
/// record meanwhile; its results are those of the last run.
package protocol Rule {
    /// Whether it may change the state.
    static var mayChange: Bool { get }

    mutating func run(on state: inout InstallState) throws(Failure) -> Verdict
}

extension Rule {
    @inline(__always)
    package static var mayChange: Bool { true }
}

/// A rule that changes nothing. Whoever runs it gets the state, without its event ids, which nobody reads.
package struct Reading: Rule {
    package init() {}

    @inline(__always)
    package static var mayChange: Bool { false }

    package mutating func run(on state: inout InstallState) throws(Failure) -> Verdict {
        state.dropEvents()
        return .unchanged(.ok)
    }
}

extension InstallState {
    /// Removes the event ids, which may point into a record that will be freed. Such a state must never be saved.
    package mutating func dropEvents() {
        events = EventMemory()
    }
}

/// The result of a rule, and whether it changed the state.
package struct Verdict {
    package let status: Status
    package let isChanged: Bool

    @inline(__always)
    package static func changed(_ status: Status = .ok) -> Verdict { Verdict(status: status, isChanged: true) }

    @inline(__always)
    package static func unchanged(_ status: Status) -> Verdict { Verdict(status: status, isChanged: false) }
}

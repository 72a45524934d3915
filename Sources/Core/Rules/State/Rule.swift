/// A change to one install's state. It runs between load and save. If the record was changed elsewhere meanwhile, it
/// runs again on the newer state; the results of the last run count.
package protocol Rule {
    static var mayChange: Bool { get }

    mutating func run(on state: inout InstallState) throws(Failure) -> Verdict
}

extension Rule {
    @inline(__always)
    package static var mayChange: Bool { true }
}

/// A rule that changes nothing, for callers that only need the state. It removes the event ids, which no reader needs.
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
    /// Removes the event ids, which may point into a record that will be freed. After that the state must never be
    /// saved.
    package mutating func dropEvents() {
        events = EventMemory()
    }
}

/// The status that a rule returns, and whether the rule changed the state.
package struct Verdict {
    package let status: Status
    package let isChanged: Bool

    @inline(__always)
    package static func changed(_ status: Status = .ok) -> Verdict { Verdict(status: status, isChanged: true) }

    @inline(__always)
    package static func unchanged(_ status: Status) -> Verdict { Verdict(status: status, isChanged: false) }
}

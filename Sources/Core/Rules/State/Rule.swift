/// One change of one install's state. It is run between load and save, and again on the newer state when others changed
/// the record meanwhile: whatever it gives is that of the last run.
package protocol Rule {
    mutating func run(on state: inout InstallState) throws(Failure) -> Verdict
}

/// Changes nothing: what runs it then holds the state, without its event ids, which nobody reads.
package struct Reading: Rule {
    package init() {}

    package mutating func run(on state: inout InstallState) throws(Failure) -> Verdict {
        state.dropEvents()
        return .unchanged(.ok)
    }
}

extension InstallState {
    /// Lets go of the event ids, which may stand in a record that will not stay. Such a state is never saved.
    package mutating func dropEvents() {
        revenueEvents = EventIDs()
        conversionEvents = EventIDs()
    }
}

/// How a rule ended, and whether it changed the state.
package struct Verdict {
    package let status: Status
    package let isChanged: Bool

    @inline(__always)
    package static func changed(_ status: Status = .ok) -> Verdict { Verdict(status: status, isChanged: true) }

    @inline(__always)
    package static func unchanged(_ status: Status) -> Verdict { Verdict(status: status, isChanged: false) }
}

/// One change of one install's state. A rule is run between load and save, and again on the newer state when others changed the
/// record meanwhile: whatever it gives is that of the last run.
package protocol Rule {
    mutating func run(on state: inout InstallState) throws(Failure) -> Verdict
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

/// Changes nothing and gives the state.
package struct Reading: Rule {
    package private(set) var state: InstallState?

    package init() {}

    package mutating func run(on state: inout InstallState) throws(Failure) -> Verdict {
        self.state = state
        return .unchanged(.ok)
    }
}

/// How a rule ended, and whether it changed the state.
package struct Verdict {
    package let status: Status
    package let isChanged: Bool

    @inline(__always)
    package static func changed(_ status: Status = .ok) -> Verdict { Verdict(status: status, isChanged: true) }

    @inline(__always)
    package static func unchanged(_ status: Status) -> Verdict { Verdict(status: status, isChanged: false) }
}

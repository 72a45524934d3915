import SKANCore

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

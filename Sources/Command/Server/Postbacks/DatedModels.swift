package import SKANCore

/// Models by the moment, in Unix seconds, from when on new installs, or new re-engagements, had them.
package struct DatedModels {
    private(set) var list: [(from: Int64, model: ConversionModel)] = []

    package init() {}

    package var isFull: Bool { list.count == Limits.models }

    package mutating func add(_ model: ConversionModel, from moment: Int64) { list.append((moment, model)) }

    /// Brings them in order, and throws where two are of the same moment. `name` is what the message calls one.
    mutating func sort(_ name: StaticString) throws(Failure) {
        list.sort { $0.from < $1.from }
        for (place, each) in list.enumerated() where place > 0 && each.from == list[place - 1].from {
            throw Failure(.invalidArgument, "\(name)s[\(place)].from: expected a later moment than that before")
        }
    }
}

package import SKANCommandOutput
package import SKANCore
package import SKANSystem

/// Models, each with the time in Unix seconds from which it was in use for new installs or new re-engagements.
package struct DatedModels {
    package private(set) var list: [(from: Int64, model: ConversionModel)] = []

    package init() {}

    /// The time of a model that was always in use.
    package static var always: Int64 { .min }

    package mutating func add(_ model: ConversionModel, from moment: Int64) { list.append((moment, model)) }

    /// Throws if there are already as many models as allowed. `file`: the file of the next model, for the message.
    package func checkRoom(_ file: CText) throws(CommandEnd) {
        if list.count == Limits.models { throw .complaint(file.message, "expected at most \(Limits.models) models") }
    }

    /// Sorts the models by time; throws if two have the same time. `name`: the word for a model in the message.
    package mutating func sort(_ name: StaticString) throws(Failure) {
        list.sort { $0.from < $1.from }
        for (place, each) in list.enumerated() where place > 0 && each.from == list[place - 1].from {
            throw Failure(.invalidArgument, "\(name)s[\(place)].from: expected a later moment than in the item before")
        }
    }
}

extension JSONValue {
    /// Empty if the value is not an object.
    package var members: JSONMembers { JSONMembers(self) }

    /// Empty if the value is not an array.
    package var elements: JSONElements { JSONElements(self) }
}

extension Sequence<JSONMember> {
    /// The value of the last member with this name; nil if there is none.
    package func value(_ name: StaticString) -> JSONValue? {
        var found: JSONValue?
        for member in self where member.key.isEqual(name) { found = member.value }
        return found
    }
}

package struct JSONMembers: Sequence, IteratorProtocol {
    private var reader: JSONReader

    fileprivate init(_ object: JSONValue) { reader = JSONReader(inside: object, .object) }

    package mutating func next() -> JSONMember? {
        guard let key = reader.string(), let value = reader.value() else { return nil }
        return JSONMember(key: key, value: value)
    }
}

package struct JSONElements: Sequence, IteratorProtocol {
    private var reader: JSONReader

    fileprivate init(_ array: JSONValue) { reader = JSONReader(inside: array, .array) }

    package mutating func next() -> JSONValue? { reader.value() }
}

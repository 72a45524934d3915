package import SKANCore

extension JSONWriter {
    /// Writes a member that is an object. `members`: writes the object's members.
    package mutating func object(_ name: StaticString, _ members: (inout JSONWriter) -> Void) {
        key(name)
        beginObject()
        members(&self)
        endObject()
    }

    /// Writes a member that is an array with an object for each element. `members`: writes the members of one object.
    package mutating func objects<Elements: Sequence>(
        _ name: StaticString, _ elements: Elements, _ members: (inout JSONWriter, Elements.Element) -> Void
    ) {
        key(name)
        beginArray()
        for element in elements {
            beginObject()
            members(&self, element)
            endObject()
        }
        endArray()
    }

    package mutating func text(_ text: Message) { text.utf8.withUnsafeBytes { string(utf8: $0) } }
}

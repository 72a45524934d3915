/// A text that is JSON, checked whole: an object. Valid only while the text is.
package struct JSONDocument {
    package let members: [JSONMember]

    package init(_ text: UnsafeRawBufferPointer, allowsDuplicates: Bool = false) throws(JSONFault) {
        var scanner = JSONScanner(text, allowsDuplicates: allowsDuplicates)
        if let fault = scanner.scan() { throw fault }
        members = scanner.members
    }

    /// The value of a member.
    package func value(_ name: StaticString) -> JSONValue? {
        members.value(name)
    }
}

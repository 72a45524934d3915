/// A text that is JSON, checked whole: an object. Valid only while the text is.
package struct JSONDocument {
    package let members: [JSONMember]

    package init(_ text: UnsafeRawBufferPointer) throws(JSONFault) {
        var scanner = JSONScanner(text)
        if let fault = scanner.scan() { throw fault }
        members = scanner.members
    }

    /// The value of a member.
    package func value(_ name: StaticString) -> JSONValue? {
        for member in members where member.key.isEqual(name) { return member.value }
        return nil
    }
}

/// A value as it stands in a text that was checked. Valid only while the text is.
package struct JSONValue {
    package let kind: JSONKind
    /// A number in its spelling, a string with its quotes, an array or object with all that it holds.
    package let text: UnsafeRawBufferPointer

    package init(kind: JSONKind, text: UnsafeRawBufferPointer) {
        self.kind = kind
        self.text = text
    }

    /// The content of a string.
    package var string: JSONString? {
        guard kind == .string, text.count >= 2 else { return nil }
        return JSONString(raw: UnsafeRawBufferPointer(rebasing: text[1..<(text.count &- 1)]), isEscaped: true)
    }

    /// The members of an object in their order; of any other value there are none.
    package var members: JSONMembers { JSONMembers(self) }

    /// The elements of an array in their order; of any other value there are none.
    package var elements: JSONElements { JSONElements(self) }

}

/// A member of an object.
package struct JSONMember {
    package let key: JSONString
    package let value: JSONValue
}

package enum JSONKind {
    case null, `true`, `false`, number, string, array, object

    /// That of the value that begins with this byte.
    init(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"): self = .object
        case UInt8(ascii: "["): self = .array
        case UInt8(ascii: "\""): self = .string
        case UInt8(ascii: "t"): self = .true
        case UInt8(ascii: "f"): self = .false
        case UInt8(ascii: "n"): self = .null
        default: self = .number
        }
    }

    package var description: StaticString {
        switch self {
        case .null: "null"
        case .true: "true"
        case .false: "false"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
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

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
}

/// A member of an object.
package struct JSONMember {
    package let key: JSONString
    package let value: JSONValue
}

package enum JSONKind {
    case null, `true`, `false`, number, string, array, object

    /// The kind of the value that begins with this byte.
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

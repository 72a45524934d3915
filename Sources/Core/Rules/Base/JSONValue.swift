/// A value in a text that was checked. Valid only as long as the text.
package struct JSONValue {
    package let kind: JSONKind
    /// The value as written: a string with its quotes, an array or object with its contents.
    package let text: UnsafeRawBufferPointer

    package init(kind: JSONKind, text: UnsafeRawBufferPointer) {
        self.kind = kind
        self.text = text
    }

    /// The contents of a string; nil for other values.
    package var string: JSONString? {
        guard kind == .string, text.count >= 2 else { return nil }
        return JSONString(raw: UnsafeRawBufferPointer(rebasing: text[1..<(text.count &- 1)]), isEscaped: true)
    }
}

package struct JSONMember {
    package let key: JSONString
    package let value: JSONValue
}

package enum JSONKind {
    case null, `true`, `false`, number, string, array, object

    /// `byte`: the first byte of a value.
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

internal import SKANCore

/// The value of a field in a postback. A string is unescaped; any other value is kept as received.
struct PostbackValue: Sendable {
    let kind: JSONKind
    let place: TextPlace
    /// Whether the value was checked and is text. In an unsigned field, the text must also be legal.
    var isText = false
    /// The number, if the value was checked and has the right type; 1 and 0 stand for true and false. In an unsigned
    /// field, the number must also be in range.
    var integer: Int64?

    init(_ kind: JSONKind, _ place: TextPlace) {
        self.kind = kind
        self.place = place
    }
}

/// The type that a field must have.
package enum PostbackType {
    case text, integer, boolean
    /// A window: 0, 1 or 2.
    case window

    /// Returns why a value is not of this type; nil if it is, after setting the value's `isText` or `integer`.
    func fault(_ value: inout PostbackValue, _ text: UnsafeRawBufferPointer) -> StaticString? {
        switch self {
        case .text:
            guard value.kind == .string else { return "expected text" }
            value.isText = true
        case .boolean:
            guard value.kind == .true || value.kind == .false else { return "expected true or false" }
            value.integer = value.kind == .true ? 1 : 0
        case .integer, .window:
            guard value.kind == .number, let integer = wholeNumber(text) else {
                return "expected a whole number of at most 64 bits"
            }
            guard self == .integer || 0...2 ~= integer else { return "expected 0, 1 or 2" }
            value.integer = integer
        }
        return nil
    }
}

/// Parses an integer of at most 64 bits without fraction or exponent; nil for any other text.
func wholeNumber(_ text: UnsafeRawBufferPointer) -> Int64? {
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = isNegative ? text.dropFirst() : text[...]
    guard !digits.isEmpty else { return nil }
    var value: Int64 = 0
    for byte in digits {
        guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
        let digit = Int64(byte &- UInt8(ascii: "0"))
        let (tens, isTooLarge) = value.multipliedReportingOverflow(by: 10)
        let (next, isOver) =
            isNegative ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
        guard !isTooLarge, !isOver else { return nil }
        value = next
    }
    return value
}

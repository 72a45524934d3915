internal import SKANCore

/// The value of a field in a postback. Strings are unescaped, other values are kept as received.
struct PostbackValue: Sendable {
    let kind: JSONKind
    let place: TextPlace
    /// Whether it was found to be a string, in range if it is not signed.
    var isText = false
    /// The number, if it was found to be of the right type, in range if it is not signed; 1 and 0 for true and false.
    var integer: Int64?

    init(_ kind: JSONKind, _ place: TextPlace) {
        self.kind = kind
        self.place = place
    }
}

/// The type that a field must have.
package enum PostbackType {
    case text, integer, boolean
    /// 0, 1 or 2.
    case window

    /// The reason why a value is not of this type; nil if it is. Sets the value's number.
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

/// Parses an integer of 64 bits without fraction or exponent.
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

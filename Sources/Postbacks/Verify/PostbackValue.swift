internal import SKANCore

/// What stands in a postback for one field. A text is unescaped, any other value is as it came.
struct PostbackValue: Sendable {
    let kind: JSONKind
    let place: TextPlace
    /// Known to be a text, and in range where it is not signed.
    var isText = false
    /// Known to be a number of the right type, and in range where it is not signed: of true and false 1 and 0.
    var integer: Int64?

    init(_ kind: JSONKind, _ place: TextPlace) {
        self.kind = kind
        self.place = place
    }
}

/// What a field must be.
package enum PostbackType {
    case text, integer, boolean
    /// 0, 1 or 2.
    case window

    /// Why a value is not of the type; nil where it is, and its number is set where it has one.
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
                return "expected an integer of 64 bits, without fraction or exponent"
            }
            guard self == .integer || 0...2 ~= integer else { return "expected 0, 1 or 2" }
            value.integer = integer
        }
        return nil
    }
}

/// An integer without fraction or exponent, within 64 bits.
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

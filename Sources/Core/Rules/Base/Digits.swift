import CSKANSupport

@inline(__always)
package func isDigit(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10
}

@inline(__always)
func hexValue(_ byte: UInt8) -> UInt32? {
    if isDigit(byte) { return UInt32(byte &- UInt8(ascii: "0")) }
    let letter = (byte | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? UInt32(letter) + 10 : nil
}

/// Returns nil if there are no digits, if a byte is not a digit, or if the number needs more than 63 bits.
package func wholeNumber(ofDigits digits: some Sequence<UInt8>) -> Int64? {
    var number: Int64?
    for digit in digits {
        guard isDigit(digit) else { return nil }
        let (tens, isTooLarge) = (number ?? 0).multipliedReportingOverflow(by: 10)
        let (sum, isOver) = tens.addingReportingOverflow(Int64(digit &- UInt8(ascii: "0")))
        if isTooLarge || isOver { return nil }
        number = sum
    }
    return number
}

/// Calls `body` with the shortest decimal text that reads back as the same number. Uses libc, because Swift's own
/// function would link in much of String.
func withNumberText<Result>(_ number: Double, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(SUPPORT_NUMBER_SIZE)) { text in
        let count = support_number_text(number, text.baseAddress)
        return body(UnsafeRawBufferPointer(start: text.baseAddress, count: count))
    }
}

internal import SKANSystem

/// The number that up to nine decimal digits are; nil where it is none, or more than `most`.
func number(_ digits: Slice<Bytes>, atMost most: UInt32) -> UInt32? {
    guard 1...9 ~= digits.count else { return nil }
    var value: UInt32 = 0
    for digit in digits {
        guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
        value = value &* 10 &+ UInt32(digit &- UInt8(ascii: "0"))
    }
    return value <= most ? value : nil
}

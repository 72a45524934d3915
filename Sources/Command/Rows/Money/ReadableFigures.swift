package import SKANCore

/// Numbers with digits grouped by commas, for tables and pages. JSON and CSV have no commas, since programs read them.
extension Message {
    /// The decimal number with commas: "-1234567.25" becomes "-1,234,567.25".
    package var grouped: Message {
        let whole = utf8.prefix { $0 != UInt8(ascii: ".") }
        let sign = whole.first == UInt8(ascii: "-") ? 1 : 0
        var grouped = [UInt8](whole.prefix(sign))
        for (place, digit) in whole.dropFirst(sign).enumerated() {
            if place > 0, (whole.count - sign - place) % 3 == 0 { grouped.append(UInt8(ascii: ",")) }
            grouped.append(digit)
        }
        return Message(utf8: grouped + utf8.dropFirst(whole.count))
    }
}

extension UInt64 {
    /// The number with commas: "12,345".
    package var readable: Message { ("\(self)" as Message).grouped }
}

extension Int {
    /// The number with commas: "12,345".
    package var readable: Message { ("\(self)" as Message).grouped }
}

extension Money {
    /// The amount with commas and this many decimal places, rounded half to even: "12,345.50".
    package func readable(places: Int) -> Message { text(places: places).grouped }
}

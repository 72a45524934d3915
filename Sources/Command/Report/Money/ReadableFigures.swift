internal import SKANCore

/// Tables and pages group digits with commas. JSON and CSV are read by programs and do not.
extension Message {
    /// The decimal number with commas: "-1234567.25" becomes "-1,234,567.25".
    var grouped: Message {
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
    /// "12,345".
    var readable: Message { ("\(self)" as Message).grouped }
}

extension Int {
    /// "12,345".
    var readable: Message { ("\(self)" as Message).grouped }
}

extension Money {
    /// "12,345.50": with this many decimal places, rounded half to even.
    func readable(places: Int) -> Message { text(places: places).grouped }
}

import CSKANSystem
package import SKANCore
import SKANSystem

/// Returns a time in Unix seconds as "2026-01-31T10:00:00Z".
package func utcTime(_ seconds: Int64) -> Message { timeText(seconds, "%Y-%m-%dT%H:%M:%SZ") }

/// Returns a time in Unix seconds as "2026-01-31 10:00:00 UTC".
package func utcText(_ seconds: Int64) -> Message { timeText(seconds, "%Y-%m-%d %H:%M:%S UTC") }

/// Returns the day of a time in Unix seconds as "2026-01-31".
package func utcDay(_ seconds: Int64) -> Message { timeText(seconds, "%Y-%m-%d") }

/// Formats a time as strftime does. If the year is beyond the calendar's range, returns the number of seconds.
private func timeText(_ seconds: Int64, _ form: StaticString) -> Message {
    var moment = time_t(seconds)
    var parts = tm()
    guard gmtime_r(&moment, &parts) != nil else { return "\(seconds) s" }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { text in
        let form = UnsafeRawPointer(form.utf8Start).assumingMemoryBound(to: CChar.self)
        let length = strftime(text.baseAddress, text.count, form, &parts)
        return length == 0 ? "\(seconds) s" : Message(utf8: [UInt8](UnsafeRawBufferPointer(text).prefix(length)))
    }
}

/// The range of times that are accepted, in Unix seconds, up to the end of the year 9999.
package let readableTimes: ClosedRange<Int64> = 0...253_402_300_799

/// Parses a time in whole Unix seconds. Returns nil if the text is not digits only, or the time is after the year 9999.
package func unixSeconds(digits text: [UInt8]) -> Int64? {
    wholeNumber(ofDigits: text).flatMap { readableTimes.contains($0) ? $0 : nil }
}

/// Parses "2026-01-31T10:00:00Z", optionally with a fraction of the second, a space instead of the T, and an offset
/// such as "+01:00" instead of the Z. Returns microseconds since 1970; further digits are dropped. Returns nil for
/// other texts, and for times before 1970 or after the year 9999.
package func utcMicroseconds(_ text: [UInt8]) -> Int64? {
    var reader = TimeReader(rest: text[...])
    guard let days = reader.date(), reader.takes("T") || reader.takes(" "), let time = reader.timeOfDay(),
        let fraction = reader.fraction(), let ahead = reader.offset(), reader.rest.isEmpty
    else { return nil }
    let seconds = days * Day.seconds + time - ahead
    return readableTimes.contains(seconds) ? seconds * 1_000_000 + fraction : nil
}

/// Parses a time as databases print it, such as "2026-01-31 10:00:00.25". The time may have a T instead of the space,
/// and a comma before the fraction; seconds may be missing. It may end with "UTC", "GMT", "Z" or an offset such as
/// "+00", "+0100" or "+01:00"; without any, it is UTC. Letters may be lower-case, and blanks may surround the time.
/// Returns microseconds since 1970; nil for any other text, and for times before 1970 or after the year 9999.
package func storedMicroseconds(_ text: [UInt8]) -> Int64? {
    let words = text.map { 0x61...0x7A ~= $0 ? $0 & 0xDF : $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 }
    let blank = UInt8(ascii: " ")
    var reader = TimeReader(rest: words[(words.firstIndex { $0 != blank } ?? 0)...])
    while reader.rest.last == blank { reader.rest.removeLast() }
    guard let days = reader.date(), reader.takes("T") || reader.takes(" "),
        let time = reader.timeOfDay(needsSeconds: false),
        let fraction = reader.fraction(), let ahead = reader.storedOffset(), reader.rest.isEmpty
    else { return nil }
    let seconds = days * Day.seconds + time - ahead
    return readableTimes.contains(seconds) ? seconds * 1_000_000 + fraction : nil
}

/// Parses the times that `utcMicroseconds` parses, and returns whole Unix seconds, rounded down.
package func utcSeconds(_ text: [UInt8]) -> Int64? { utcMicroseconds(text).map { $0 / 1_000_000 } }

/// Returns the digits after a decimal point as a whole number with `places` digits: "25" with 6 places is 250000.
package func wholeNumber(ofFraction digits: some Collection<UInt8>, places: Int) -> Int64 {
    var number: Int64 = 0
    for place in 0..<places {
        let digit = digits.dropFirst(place).first.map { Int64($0 - UInt8(ascii: "0")) }
        number = number * 10 + (digit ?? 0)
    }
    return number
}

/// Parses a day, "2026-01-31", and returns the moment at which it begins, UTC, in Unix seconds; nil for any other text.
package func utcDaySeconds(_ text: [UInt8]) -> Int64? {
    text.count == 10 ? utcSeconds(text + [UInt8]("T00:00:00Z".utf8)) : nil
}

private struct TimeReader {
    var rest: ArraySlice<UInt8>

    mutating func takes(_ letter: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: letter) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func number(_ digits: Int) -> Int64? {
        guard rest.count >= digits, rest.prefix(digits).allSatisfy(isDigit) else { return nil }
        defer { rest.removeFirst(digits) }
        return rest.prefix(digits).reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    /// Consumes a date and returns it in days since 1970; nil if there is no valid date.
    mutating func date() -> Int64? {
        guard let year = number(4), takes("-"), let month = number(2), takes("-"), let day = number(2), year >= 1,
            month >= 1, month <= 12, day >= 1, day <= days(of: month, in: year)
        else { return nil }
        let before = year - 1
        var days = before * 365 + before / 4 - before / 100 + before / 400 - 719_162
        for past in 1..<month { days += self.days(of: past, in: year) }
        return days + day - 1
    }

    private func days(of month: Int64, in year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Consumes a time of day and returns the seconds since midnight; nil if there is no valid time.
    mutating func timeOfDay(needsSeconds: Bool = true) -> Int64? {
        guard let hour = number(2), takes(":"), let minute = number(2), hour < 24, minute < 60 else { return nil }
        let hasSeconds = takes(":")
        guard let second = hasSeconds ? number(2) : needsSeconds ? nil : 0, second < 60 else { return nil }
        return (hour * 60 + minute) * 60 + second
    }

    /// Consumes a fraction of a second and returns its microseconds; 0 if there is no point, nil if no digit follows
    /// the point.
    mutating func fraction() -> Int64? {
        if !takes(".") { return 0 }
        let digits = rest.prefix(while: isDigit)
        if digits.isEmpty { return nil }
        rest = rest.dropFirst(digits.count)
        return wholeNumber(ofFraction: digits, places: 6)
    }

    /// Consumes the offset at the end of a time that a database printed, and returns it in seconds; 0 if there is none.
    mutating func storedOffset() -> Int64? {
        if rest.isEmpty { return 0 }
        while takes(" ") {}
        if takesZone() { return 0 }
        guard let offset = offset(needsMinutes: false) else { return nil }
        // Go prints both: "+0000 UTC".
        while takes(" ") {}
        return rest.isEmpty || takesZone() ? offset : nil
    }

    private mutating func takesZone() -> Bool {
        for zone in ["UTC", "GMT", "Z"] as [StaticString] where rest.elementsEqual(zone.bytes) {
            rest = []
            return true
        }
        return false
    }

    /// Consumes an offset from UTC, such as "Z" or "+01:00", and returns it in seconds; nil if there is no valid
    /// offset.
    mutating func offset(needsMinutes: Bool = true) -> Int64? {
        if takes("Z") { return 0 }
        let isAhead = takes("+")
        guard isAhead || takes("-"), let hours = number(2) else { return nil }
        let hasMinutes = needsMinutes || takes(":") || rest.first.map(isDigit) ?? false
        _ = takes(":")
        guard let minutes = hasMinutes ? number(2) : 0, hours < 24, minutes < 60 else { return nil }
        let offset = (hours * 60 + minutes) * 60
        return isAhead ? offset : -offset
    }
}

internal import CSKANCurl
internal import CSKANSystem
internal import SKANCore
package import SKANSystem

/// The header Retry-After, in which a busy server says when to try again.
package enum RetryAfter {
    /// The longest time that is returned, in milliseconds from now. It is longer than any time-out.
    private static var longest: Int64 { Int64.max / 10_000 * 1000 }
    private static var valueBytes: Int { 63 }

    /// The time in milliseconds from now, or 0 for a date in the past. nil if the line is another header, or if its
    /// value is neither a number of seconds nor a date.
    package static func milliseconds(line: Bytes) -> Int64? {
        let name: StaticString = "retry-after:"
        guard line.count >= name.utf8CodeUnitCount else { return nil }
        for index in 0..<name.utf8CodeUnitCount where lowercase(line[index]) != name.utf8Start[index] { return nil }
        var value = line.dropFirst(name.utf8CodeUnitCount)
        while let first = value.first, isBlank(first) { value = value.dropFirst() }
        while let last = value.last, isBlank(last) || isLineEnd(last) { value = value.dropLast() }
        guard 1...valueBytes ~= value.count else { return nil }
        return seconds(value) ?? untilDate(value)
    }

    private static func seconds(_ value: Slice<Bytes>) -> Int64? {
        guard value.allSatisfy(isDigit) else { return nil }
        return min(wholeNumber(ofDigits: value) ?? .max, longest / 1000) * 1000
    }

    private static func untilDate(_ value: Slice<Bytes>) -> Int64? {
        let date = CText(value).characters.withUnsafeBufferPointer { curl_getdate($0.baseAddress, nil) }
        guard date != -1 else { return nil }
        let now = time(nil)
        // libcurl parses years that are far beyond any time-out.
        return date > now ? min(Int64(date - now), longest / 1000) * 1000 : 0
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") }
}

/// The pause after `attempts` attempts, in milliseconds. The limit of the pause is `first` after the first attempt, and
/// doubles with each attempt up to `longest`. The pause is random between half of that limit and all of it, so that
/// clients that failed together do not return together.
package func retryPause(attempts: UInt32, first: UInt32, longest: UInt32) -> Int64 {
    var whole = Int64(first)
    var attempt: UInt32 = 1
    while attempt < attempts && whole < longest {
        whole *= 2
        attempt += 1
    }
    whole = min(whole, Int64(longest))
    var chance: UInt32 = 0
    if getentropy(&chance, MemoryLayout<UInt32>.size) != 0 { chance = .max }
    return whole - Int64((UInt64(whole / 2) * UInt64(chance)) >> 32)
}

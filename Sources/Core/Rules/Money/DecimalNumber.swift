/// A decimal number as JSON writes it (RFC 8259, section 6), without loss: digits times a power of ten.
package struct DecimalNumber {
    private let text: UnsafeRawBufferPointer
    private let isNegative: Bool
    /// The digits before the decimal point, as indices in `text`.
    private let whole: Range<Int>
    /// The digits after the decimal point, as indices in `text`.
    private let fraction: Range<Int>
    /// The exponent, clamped to ±10⁹. No text that libskan reads has as many digits.
    private let exponent: Int

    /// Nil unless the text is exactly one JSON number.
    package init?(_ text: UnsafeRawBufferPointer) {
        var position = 0
        func byte() -> UInt8 { position < text.count ? text[position] : 0 }
        func skipDigits() -> Range<Int> {
            let start = position
            while isDigit(byte()) { position &+= 1 }
            return start..<position
        }

        self.text = text
        isNegative = byte() == UInt8(ascii: "-")
        if isNegative { position &+= 1 }
        whole = skipDigits()
        guard !whole.isEmpty, whole.count == 1 || text[whole.lowerBound] != UInt8(ascii: "0") else { return nil }
        if byte() == UInt8(ascii: ".") {
            position &+= 1
            fraction = skipDigits()
            guard !fraction.isEmpty else { return nil }
        } else {
            fraction = position..<position
        }
        var exponent = 0
        if byte() | 0x20 == UInt8(ascii: "e") {
            position &+= 1
            let isDown = byte() == UInt8(ascii: "-")
            if isDown || byte() == UInt8(ascii: "+") { position &+= 1 }
            let digits = skipDigits()
            guard !digits.isEmpty else { return nil }
            for index in digits where exponent < 1_000_000_000 {
                exponent = exponent &* 10 &+ Int(text[index] &- UInt8(ascii: "0"))
            }
            exponent = min(exponent, 1_000_000_000)
            if isDown { exponent = -exponent }
        }
        self.exponent = exponent
        guard position == text.count else { return nil }
    }

    private var digitCount: Int { whole.count &+ fraction.count }

    /// The digit at an index, counted over the digits before and after the decimal point; 0 beyond them.
    private func digit(_ index: Int) -> UInt8 {
        if index < whole.count { return text[whole.lowerBound &+ index] &- UInt8(ascii: "0") }
        if index < digitCount { return text[fraction.lowerBound &+ (index &- whole.count)] &- UInt8(ascii: "0") }
        return 0
    }

    private func hasOnlyZeros(from index: Int) -> Bool {
        var index = max(index, 0)
        while index < digitCount {
            if digit(index) != 0 { return false }
            index &+= 1
        }
        return true
    }

    /// The number times 10^places, rounded half-even to a whole number; nil unless its magnitude is below `limit`,
    /// which is at most 10³⁰.
    package func scaledHalfEven(places: Int, below limit: Int128) -> Int128? {
        // The number of leading digits that make up the whole part of the scaled number.
        let kept = whole.count &+ exponent &+ places
        guard var magnitude = leading(min(kept, digitCount), below: limit) else { return nil }
        var zeros = magnitude == 0 ? 0 : kept &- digitCount
        while zeros > 0 {
            // Six zeros at once: a number below the limit, which is at most 10³⁰, stays below 10³⁶.
            let step = zeros >= 6 ? 6 : 1
            magnitude = magnitude &* (step == 6 ? 1_000_000 : 10)
            if magnitude >= limit { return nil }
            zeros &-= step
        }
        if kept >= 0, kept < digitCount {
            magnitude = magnitude.roundedHalfEven(partBehind(kept))
            if magnitude >= limit { return nil }
        }
        return isNegative ? -magnitude : magnitude
    }

    /// The number that the first `count` digits form; nil unless it is below `limit`. `count` is at most the number of
    /// digits. The first 18 digits are added up in 64 bits, which is faster.
    private func leading(_ count: Int, below limit: Int128) -> Int128? {
        var (head, index) = (UInt64(0), 0)
        while index < min(count, 18) {
            head = head &* 10 &+ UInt64(digit(index))
            index &+= 1
        }
        var number = Int128(head)
        while index < count, number < limit {
            number = number &* 10 &+ Int128(digit(index))
            index &+= 1
        }
        return number < limit ? number : nil
    }

    /// Compares the digits from `index` on with half a unit of the digit before them.
    private func partBehind(_ index: Int) -> CutPart {
        let next = digit(index)
        guard next == 5, hasOnlyZeros(from: index &+ 1) else { return next < 5 ? .belowHalf : .aboveHalf }
        return .half
    }

    /// Trailing zeros do not count.
    package func hasAtMost(places: Int) -> Bool { hasOnlyZeros(from: whole.count &+ exponent &+ places) }

    /// The number if it is whole, however it is written (12, 12.0, 1.2e1), and its magnitude is below 10¹⁸; otherwise
    /// nil.
    package var integer: Int64? {
        let kept = whole.count &+ exponent
        guard hasOnlyZeros(from: kept) else { return nil }
        return scaledHalfEven(places: 0, below: 1_000_000_000_000_000_000).map { Int64(truncatingIfNeeded: $0) }
    }
}

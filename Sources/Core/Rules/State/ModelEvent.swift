/// The name of an event, 1...32 printable ASCII bytes, as words that are compared at once. Zeros follow the name.
package struct EventName: Equatable, Sendable {
    private let first: UInt64
    private let second: UInt64
    private let third: UInt64
    private let fourth: UInt64

    /// nil unless the text is a valid name.
    package init?(_ text: UnsafeRawBufferPointer) {
        guard text.count >= 1, text.count <= Limits.eventNameBytes, text.allSatisfy({ $0 >= 0x20 && $0 <= 0x7E }) else {
            return nil
        }
        func word(_ start: Int) -> UInt64 {
            var word: UInt64 = 0
            for index in start..<(start &+ 8) {
                word = word << 8 | (index < text.count ? UInt64(text[index]) : 0)
            }
            return word
        }
        first = word(0)
        second = word(8)
        third = word(16)
        fourth = word(24)
    }

    /// Whether it is the session's, "__SESSION__".
    package var isSession: Bool {
        // "__SESSIO", "N__"
        first == 0x5F5F_5345_5353_494F && second == 0x4E5F_5F00_0000_0000 && third == 0 && fourth == 0
    }

    /// Whether it is "*", which stands for every event in the list of a measure.
    package var isEveryEvent: Bool { first == 0x2A00_0000_0000_0000 && second == 0 && third == 0 && fourth == 0 }

    /// Appends the bytes of the name.
    package func write(to text: inout ByteBuffer) {
        for index in 0..<4 {
            let word = index < 2 ? index == 0 ? first : second : index == 2 ? third : fourth
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                let byte = UInt8(truncatingIfNeeded: word >> shift)
                guard byte != 0 else { return }
                text.append(byte)
            }
        }
    }
}

/// Rules, "Events with an amount": the money of an event.
package struct EventAmount: Sendable {
    package let amount: Money
    package let currency: Currency
    package let kind: RevenueKind

    package init(amount: Money, currency: Currency, kind: RevenueKind) {
        self.amount = amount
        self.currency = currency
        self.kind = kind
    }
}

/// The name of an event, 1...64 bytes of UTF-8 without control bytes. It is stored in eight words, filled up with
/// zeros, so that names are compared word by word.
package struct EventName: Equatable, Sendable {
    private var words: InlineArray<8, UInt64>

    package init?(_ text: UnsafeRawBufferPointer) {
        guard text.count >= 1, text.count <= Limits.eventNameBytes, isPlainText(text) else { return nil }
        words = InlineArray(repeating: 0)
        withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: text) }
    }

    @inline(__always)
    package static func == (left: EventName, right: EventName) -> Bool {
        for index in left.words.indices where left.words[index] != right.words[index] { return false }
        return true
    }

    /// Whether it is "__SESSION__", the name of sessions.
    package var isSession: Bool {
        // "__SESSIO", "N__"
        isOf(0x4F49_5353_4553_5F5F, 0x5F5F_4E)
    }

    /// Whether it is "*", which stands for every event in the list of a measure.
    package var isEveryEvent: Bool { isOf(0x2A, 0) }

    /// Whether the name's bytes are these two little-endian words.
    private func isOf(_ first: UInt64, _ second: UInt64) -> Bool {
        words[0] == first.littleEndian && words[1] == second.littleEndian && words[2] == 0
    }

    package func write(to text: inout ByteBuffer) {
        withUnsafeBytes(of: words) { bytes in
            for byte in bytes {
                guard byte != 0 else { return }
                text.append(byte)
            }
        }
    }
}

/// Rules, "Events with an amount": the money that came with an event.
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

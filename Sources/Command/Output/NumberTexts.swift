import CSKANSystem
package import SKANCore

/// Returns a number with this many decimal places, 60 at most, rounded as C's %.*f does.
package func fixedText(_ number: Double, places: Int32) -> Message {
    // The largest double has 309 digits before the decimal point.
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 400) { text in
        let length = system_print_fixed(text.baseAddress, text.count, min(places, 60), number)
        return Message(utf8: [UInt8](UnsafeRawBufferPointer(text).prefix(Int(max(length, 0)))))
    }
}

/// Returns the text padded with spaces to at least `width` bytes. `isRight`: aligns the text at the right.
package func padded(_ text: Message, to width: Int, atRight isRight: Bool = false) -> Message {
    let spaces = [UInt8](repeating: UInt8(ascii: " "), count: max(width - text.utf8.count, 0))
    return Message(utf8: isRight ? spaces + text.utf8 : text.utf8 + spaces)
}

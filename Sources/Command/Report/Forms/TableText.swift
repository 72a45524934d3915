import SKANCommandOutput
import SKANCommandRows
import SKANCore

/// Text in columns that are padded with spaces.
struct TableText {
    private(set) var utf8: [UInt8] = []

    mutating func append(_ text: Message) { utf8.append(contentsOf: text.utf8) }

    mutating func endLine() { utf8.append(UInt8(ascii: "\n")) }

    /// Appends a text, padded to this many columns. `width`: the width of the text in columns; nil for its number of
    /// bytes.
    mutating func left(_ text: Message, _ columns: Int, width: Int? = nil) {
        append(text)
        pad(columns - (width ?? text.utf8.count))
    }

    /// Appends a space and the text, right-aligned in this many columns; "-" for nil.
    mutating func right(_ text: Message?, _ columns: Int) {
        let text = text ?? "-"
        pad(columns - text.utf8.count + 1)
        append(text)
    }

    mutating func right(_ count: UInt64, _ columns: Int) { right(count.readable, columns) }

    mutating func pad(_ columns: Int) {
        utf8.append(contentsOf: repeatElement(UInt8(ascii: " "), count: max(columns, 0)))
    }
}

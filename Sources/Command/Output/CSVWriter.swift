package import SKANCore
package import SKANSystem

/// Rows of comma-separated values, RFC 4180.
package struct CSVWriter {
    private var row: [UInt8] = []
    private var isEmpty = true

    package init() {}

    /// A cell of text from outside, quoted where it must be. A spreadsheet takes text that begins with = + - @ for a
    /// formula, also after white space and what nobody sees: an apostrophe goes before it, as before a tab or the end
    /// of a line.
    package mutating func text(_ cell: Bytes) {
        begin()
        let isFormula = isFormulaToSpreadsheets(cell)
        let isQuoted =
            isFormula || cell.first == UInt8(ascii: " ") || cell.contains { StaticString(",\"\r\n").bytes.contains($0) }
        if isQuoted { row.append(UInt8(ascii: "\"")) }
        if isFormula { row.append(UInt8(ascii: "'")) }
        for byte in cell {
            if byte == UInt8(ascii: "\"") { row.append(byte) }
            row.append(byte)
        }
        if isQuoted { row.append(UInt8(ascii: "\"")) }
    }

    package mutating func text(_ cell: Message) { cell.utf8.withUnsafeBytes { text($0) } }

    /// Writes a cell of the command's own, a number for instance, as it is.
    package mutating func plain(_ cell: Message) {
        begin()
        row += cell.utf8
    }

    /// The row with its end; the next cell begins another.
    package mutating func endRow() -> Message {
        row += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
        defer {
            row.removeAll(keepingCapacity: true)
            isEmpty = true
        }
        return Message(utf8: row)
    }

    private mutating func begin() {
        if !isEmpty { row.append(UInt8(ascii: ",")) }
        isEmpty = false
    }
}

private func isFormulaToSpreadsheets(_ cell: Bytes) -> Bool {
    if let first = cell.first, StaticString("\t\r\n").bytes.contains(first) { return true }
    var place = 0
    while let next = nextScalar(cell, at: place) {
        if !isUnseen(next.scalar) { return beginsFormula(next.scalar) }
        place += next.length
    }
    return false
}

/// White space, control characters and marks that nobody sees: spreadsheets drop some of them before they look.
private func isUnseen(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0...0x20, 0xA0, 0xAD, 0x1680, 0x2000...0x200F, 0x205F...0x2064, 0x3000, 0xFEFF: true
    default: isObeyedByTerminals(scalar)
    }
}

/// = + - @, also in their full width.
private func beginsFormula(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x3D, 0x2B, 0x2D, 0x40, 0xFF1D, 0xFF0B, 0xFF0D, 0xFF20: true
    default: false
    }
}

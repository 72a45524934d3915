package import SKANCore
package import SKANSystem

/// Writes comma-separated values, RFC 4180.
package struct CSVWriter {
    private var row: [UInt8] = []
    private var isEmpty = true

    package init() {}

    /// Writes a cell of untrusted text, quoted if necessary. Spreadsheets treat text that begins with = + - @ as a
    /// formula, even after white space and invisible characters. Such text gets an apostrophe in front, as does text
    /// that begins with a tab or line ending.
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

    /// Writes one of the command's own cells, such as a number, as it is.
    package mutating func plain(_ cell: Message) {
        begin()
        row += cell.utf8
    }

    /// Ends the row and returns it. The next cell begins a new row.
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

/// Whether a character is white space, a control character or invisible. Spreadsheets drop some of these before they
/// look for formulas.
private func isUnseen(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0...0x20, 0xA0, 0xAD, 0x1680, 0x2000...0x200F, 0x205F...0x2064, 0x3000, 0xFEFF: true
    default: isObeyedByTerminals(scalar)
    }
}

/// Whether a character is = + - or @, including the full-width forms.
private func beginsFormula(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x3D, 0x2B, 0x2D, 0x40, 0xFF1D, 0xFF0B, 0xFF0D, 0xFF20: true
    default: false
    }
}

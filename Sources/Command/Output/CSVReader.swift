package import SKANCore
import SKANSystem

/// Reads comma-separated values (RFC 4180) row by row. Throws an error with line and column for a misplaced quote,
/// invalid UTF-8, a control character, or excessive length.
package struct CSVReader: ~Copyable {
    private static var mostCells: Int { 32 }
    private static var rowBytes: Int { 65_535 }
    private static var messageBytes: Int { 511 }

    package let name: Message
    private var input: CSVInput
    /// The line in which the current row begins, from 1.
    package private(set) var line: UInt64 = 1
    private var nextLine: UInt64 = 1
    package private(set) var cells: [[UInt8]] = []
    /// The number of bytes in the row's cells, plus one for the end of each cell.
    private var bytes = 0

    package init(_ input: consuming CSVInput, name: Message) {
        self.input = input
        self.name = name
    }

    /// Reads the next row that is not empty; returns false at the end.
    package mutating func readRow() throws(CommandEnd) -> Bool {
        do throws(CommandEnd) {
            let isRow = try readNextRow()
            if !Ending.isEnding { return isRow }
        } catch {
            if !Ending.isEnding { throw error }
        }
        throw .done(.found)
    }

    private mutating func readNextRow() throws(CommandEnd) -> Bool {
        repeat {
            if Ending.isEnding { return false }
            line = nextLine
            bytes = 0
            cells.removeAll(keepingCapacity: true)
            guard input.next != nil else {
                guard let error = input.failure else { return false }
                throw .complaint(name, FileTrouble.system(error).words(limit: 0))
            }
            var end: UInt8?
            repeat { end = try readCell() } while end == UInt8(ascii: ",")
            if end == UInt8(ascii: "\n") { nextLine += 1 }
        } while cells.count == 1 && cells[0].isEmpty
        return true
    }

    /// Returns an error that names a column of the current row; the first column is 1.
    package func fault(column: Int, _ why: Message) -> CommandEnd {
        let why = Message(utf8: [UInt8](why.utf8.prefix(CSVReader.messageBytes)))
        return .complaint(name, "line \(line), column \(column): \(why)")
    }

    private func fault(_ why: Message) -> CommandEnd { fault(column: cells.count, why) }

    // MARK: Cells

    /// Reads a cell and returns the byte that ended it; nil at the end of the file.
    private mutating func readCell() throws(CommandEnd) -> UInt8? {
        guard cells.count < CSVReader.mostCells else { throw fault("expected at most \(CSVReader.mostCells) cells") }
        cells.append([])
        var cell: [UInt8] = []
        let end = input.next == UInt8(ascii: "\"") ? try readQuoted(&cell) : try readPlain(&cell)
        try check(cell)
        try count()
        cells[cells.count - 1] = cell
        return end
    }

    private mutating func readPlain(_ cell: inout [UInt8]) throws(CommandEnd) -> UInt8? {
        while true {
            let byte = takeByte()
            guard let byte, byte != UInt8(ascii: ","), byte != UInt8(ascii: "\n") else { return byte }
            guard byte != UInt8(ascii: "\"") else {
                throw fault("expected quotes around the whole cell, got one within")
            }
            try count()
            cell.append(byte)
        }
    }

    private mutating func readQuoted(_ cell: inout [UInt8]) throws(CommandEnd) -> UInt8? {
        _ = input.take()
        while let byte = input.take() {
            if byte == UInt8(ascii: "\"") {
                guard input.next == byte else { return try endQuoted() }
                _ = input.take()
            }
            try count()
            cell.append(byte)
        }
        throw fault("expected a quote at the end of this cell, got the end of the file")
    }

    private mutating func endQuoted() throws(CommandEnd) -> UInt8? {
        let byte = takeByte()
        guard byte == nil || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\n") else {
            throw fault("expected a comma or the end of the line after a quoted cell")
        }
        return byte
    }

    /// Consumes the next byte and returns it. Consumes a CRLF as a whole and returns its line feed.
    private mutating func takeByte() -> UInt8? {
        let byte = input.take()
        guard byte == UInt8(ascii: "\r"), input.next == UInt8(ascii: "\n") else { return byte }
        return input.take()
    }

    /// Counts one more byte of the row; throws if the row is too long.
    private mutating func count() throws(CommandEnd) {
        guard bytes < CSVReader.rowBytes else { throw fault("expected a row of at most \(CSVReader.rowBytes) bytes") }
        bytes += 1
    }

    private func check(_ cell: [UInt8]) throws(CommandEnd) {
        var place = 0
        while place < cell.count {
            let found = cell.withUnsafeBytes { nextScalar($0, at: place) }
            guard let found else {
                throw fault("expected UTF-8, got the byte 0x\(hexadecimal: UInt32(cell[place]), digits: 2)")
            }
            guard found.scalar >= 0x20, found.scalar != 0x7F else {
                throw fault("expected no control character, got U+\(hexadecimal: found.scalar, digits: 4)")
            }
            place += found.length
        }
    }
}

extension Message.StringInterpolation {
    fileprivate mutating func appendInterpolation(hexadecimal number: UInt32, digits: UInt32) {
        let text = (0..<digits).reversed().map { hexDigit(UInt8(truncatingIfNeeded: number >> (4 * $0)) & 15) }
        appendInterpolation(Message(utf8: text))
    }
}

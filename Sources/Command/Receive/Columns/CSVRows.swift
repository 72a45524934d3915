import SKANCommandServer
import SKANCore
import SKANSystem

/// The rows of comma-separated values (RFC 4180), also with semicolons or tabs between cells. A row that cannot be read
/// does not affect the next ones.
final class CSVRows {
    enum Next {
        case row
        /// A row that could not be read and was skipped. The message says what was expected and what was found.
        case wrong(Message)
        case over
        case failed(Message)
    }

    /// The number of the line in which the most recently read row begins, from 1.
    private(set) var firstLine: UInt64 = 1
    private(set) var cells: [[UInt8]] = []
    private var line: UInt64 = 1
    private let file: any WrittenBlocks
    private var block = Bytes(start: nil, count: 0)
    private var place = 0
    private var failure: Message?
    private var isOver = false
    private var bytes = 0
    /// nil until the separator is found in the first row; 0 if the file has only one column.
    private var separator: UInt8?

    static var rowBytes: Int { 262_144 }
    private static var mostCells: Int { 4096 }

    init(_ file: any WrittenBlocks) { self.file = file }

    var position: UInt64 { file.position }

    /// Reads the next row that is not empty.
    func next() -> Next {
        repeat {
            firstLine = line
            cells.removeAll(keepingCapacity: true)
            bytes = 0
            if peek() == nil { return end() }
            if let wrong = readRow() { return failure == nil ? .wrong(wrong) : end() }
        } while cells.count == 1 && cells[0].isEmpty
        return failure == nil ? .row : end()
    }

    private func end() -> Next {
        defer { failure = nil }
        return failure.map { .failed($0) } ?? .over
    }

    // MARK: Bytes

    private func peek() -> UInt8? {
        if place == block.count && !fill() { return nil }
        return block[place]
    }

    private func fill() -> Bool {
        if isOver { return false }
        do throws(Failure) { block = try file.next() } catch {
            block = Bytes(start: nil, count: 0)
            failure = error.message
        }
        place = 0
        isOver = block.isEmpty
        return !isOver
    }

    private func take() -> UInt8? {
        guard let byte = peek() else { return nil }
        place += 1
        if byte == UInt8(ascii: "\n") { line += 1 }
        return byte
    }

    // MARK: Cells

    /// Reads a row up to the end of its line. Returns what is wrong with it; nil if nothing is.
    private func readRow() -> Message? {
        while true {
            let isEnd = readCell()
            let isTooLong = bytes > CSVRows.rowBytes || cells.count > CSVRows.mostCells
            if isTooLong {
                if !isEnd { skipLine() }
                return "expected a row of at most \(CSVRows.rowBytes) bytes and \(CSVRows.mostCells) cells"
            }
            if isEnd {
                if separator == nil { separator = 0 }
                return nil
            }
        }
    }

    private func skipLine() {
        while let byte = take(), byte != UInt8(ascii: "\n") {}
    }

    /// Reads a cell, and the separator or end of line after it. Returns whether the row ends there.
    private func readCell() -> Bool {
        var cell: [UInt8] = []
        let quote = UInt8(ascii: "\"")
        var isQuoted = peek() == quote
        if isQuoted { place += 1 }
        defer { cells.append(cell) }
        while bytes <= CSVRows.rowBytes, let byte = take() {
            bytes += 1
            if isQuoted, byte == quote {
                guard let next = peek() else { return true }
                if next == quote {
                    _ = take()
                } else if isBehindCell(next) {
                    isQuoted = false
                    continue
                }
            } else if !isQuoted, byte == UInt8(ascii: "\n") {
                if cell.last == UInt8(ascii: "\r") { cell.removeLast() }
                return true
            } else if !isQuoted, isSeparator(byte) {
                return false
            }
            cell.append(byte)
        }
        return peek() == nil
    }

    private func isBehindCell(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") || isSeparator(byte)
    }

    /// Whether a byte separates cells. The first comma, semicolon or tab outside quoted cells is the separator in the
    /// whole file.
    private func isSeparator(_ byte: UInt8) -> Bool {
        if let separator { return byte == separator }
        guard StaticString(",;\t").bytes.contains(byte) else { return false }
        separator = byte
        return true
    }
}

import SKANCommandServer
import SKANCore
import SKANSystem

/// A source of the texts in a file, one after the other.
protocol ReceivedTexts: AnyObject {
    /// The number of the line in which the most recently read text begins, from 1.
    var firstLine: UInt64 { get }
    /// The number of bytes of the file that were read.
    var position: UInt64 { get }

    func next() -> WrittenPostbacks.Next
}

extension WrittenPostbacks: ReceivedTexts {}

enum RowTexts {
    /// Returns the rows of a file as JSON objects. They are read from JSON Lines or an array, or from CSV if the file
    /// begins with neither a brace nor a bracket.
    static func rows(in file: any WrittenBlocks, _ map: ColumnMap) -> any ReceivedTexts {
        let blocks = PeekedBlocks(file)
        switch blocks.first {
        case UInt8(ascii: "{"), UInt8(ascii: "["), nil: return WrittenPostbacks(blocks, mostBytes: CSVRows.rowBytes)
        default: return CSVRowTexts(CSVRows(blocks), map)
        }
    }
}

/// A file's blocks, whose first bytes can be seen before they are read.
private final class PeekedBlocks: WrittenBlocks {
    private let file: any WrittenBlocks
    private var block = Bytes(start: nil, count: 0)
    private var failure: Failure?
    private var isPeeked = false

    init(_ file: any WrittenBlocks) { self.file = file }

    var position: UInt64 { file.position }

    /// The first byte of the first block after white space and a byte-order mark; nil if there is none.
    var first: UInt8? {
        isPeeked = true
        do throws(Failure) { block = try file.next() } catch { failure = error }
        if block.starts(with: [0xEF, 0xBB, 0xBF]) { block = Bytes(rebasing: block.dropFirst(3)) }
        return block.first { $0 != 0x20 && !(0x09...0x0D ~= $0) }
    }

    func next() throws(Failure) -> Bytes {
        if !isPeeked { return try file.next() }
        isPeeked = false
        if let failure { throw failure }
        return block.isEmpty ? try file.next() : block
    }
}

/// The rows of CSV as JSON objects of the columns that a map names.
private final class CSVRowTexts: ReceivedTexts {
    private let rows: CSVRows
    private let map: ColumnMap
    private var columns: [(place: Int, name: [UInt8])]?
    private var text = ByteBuffer(capacity: 1024)

    init(_ rows: CSVRows, _ map: ColumnMap) {
        self.rows = rows
        self.map = map
    }

    var firstLine: UInt64 { rows.firstLine }
    var position: UInt64 { rows.position }

    func next() -> WrittenPostbacks.Next {
        if columns == nil, let end = readColumns() { return end }
        switch rows.next() {
        case .row: return .postback(object(of: rows.cells))
        case .wrong(let why): return .wrong(why)
        case .over: return .over
        case .failed(let why): return .failed(why)
        }
    }

    /// Reads the line with the names of the columns. Returns nil if rows can follow, otherwise the result of `next`.
    private func readColumns() -> WrittenPostbacks.Next? {
        switch rows.next() {
        case .row: break
        case .wrong(let why): return .failed("line 1: \(why)")
        case .over: return .over
        case .failed(let why): return .failed(why)
        }
        let names = rows.cells.map { $0.withUnsafeBytes { trimmedText($0) } }
        let needed = map.signatures.isEmpty ? [] : [map.signatures]
        for choices in needed + [map.received].compactMap({ $0 }).map({ [$0] })
        where !names.contains(where: { name in choices.contains { $0.begins(in: name) } }) {
            return .failed("line 1: expected the column \(choices.first?.words ?? ""), got \(listed(names))")
        }
        var found: [(place: Int, name: [UInt8])] = []
        for (place, name) in names.enumerated() where map.names(name) && !found.contains(where: { $0.name == name }) {
            found.append((place, name))
        }
        columns = found
        return nil
    }

    /// Returns the names of the first columns, and the number of the others, for messages.
    private func listed(_ names: [[UInt8]]) -> Message {
        var text: Message = ""
        for (place, name) in names.prefix(8).enumerated() {
            let separator: StaticString = place == 0 ? "" : ", "
            text = "\(text)\(separator)\(name.withUnsafeBytes { "\(quoted: $0)" as Message })"
        }
        return names.count > 8 ? "\(text) and \(names.count - 8) more" : text
    }

    /// Returns a row as a JSON object, valid until the next row is read.
    private func object(of cells: [[UInt8]]) -> Bytes {
        var json = JSONWriter(capacity: 1024)
        json.beginObject()
        for (place, name) in columns ?? [] where place < cells.count {
            name.withUnsafeBytes { json.key(utf8: $0) }
            cells[place].withUnsafeBytes { json.string(utf8: $0) }
        }
        json.endObject()
        text = json.finish()
        return text.lent(0..<text.count)
    }
}

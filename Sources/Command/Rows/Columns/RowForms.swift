import SKANCommandOutput
package import SKANCore
import SKANSystem

extension PostbackRow {
    /// The row as a JSON object with all columns. A column without a value is null.
    @export(interface)
    package func json() -> ByteBuffer {
        var writer = JSONWriter(capacity: 1024)
        writer.beginObject()
        for place in cells.indices {
            guard let column = RowColumn(rawValue: place) else { continue }
            // Column names need no escaping; escaping them would cost a second per 300 000 rows.
            writer.key { $0.append(column.name) }
            switch cells[place] {
            case .none: writer.null()
            case .text(let text): text.withUnsafeBytes { writer.string(utf8: $0) }
            case .word(let word): writer.string { $0.append(word) }
            case .time(let seconds): writer.plain(utcTime(seconds))
            case .amount(let amount): writer.plain(amount.exactText)
            case .number(let number): writer.integer(number)
            case .truth(let truth): writer.bool(truth)
            }
        }
        writer.endObject()
        return writer.finish()
    }

    static func writeHeader(to writer: inout CSVWriter) -> Message {
        for column in RowColumn.allCases { writer.plain("\(column.name)") }
        return writer.endRow()
    }

    /// A cell without a value is empty.
    func csv(_ writer: inout CSVWriter) -> Message {
        for cell in cells {
            switch cell {
            case .none: writer.plain("")
            case .text(let text): text.withUnsafeBytes { writer.text($0) }
            case .word(let word): writer.plain("\(word)")
            case .time(let seconds): writer.plain(utcTime(seconds))
            case .amount(let amount): writer.plain(amount.exactText)
            case .number(let number): writer.plain("\(number)")
            case .truth(let truth): writer.plain(truth ? "true" : "false")
            }
        }
        return writer.endRow()
    }
}

extension JSONWriter {
    /// Writes one of the command's own texts, which need no escaping.
    fileprivate mutating func plain(_ text: Message) {
        string { json in text.utf8.withUnsafeBytes { json.append($0) } }
    }
}

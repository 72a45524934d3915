import SKANCommandOutput
import SKANCore

/// A line's title as terminals show it, indented by its level.
struct TableTitle {
    private let text: Message
    private let indent: Int
    let width: Int

    init(_ line: ReportLine) {
        indent = max(line.level.rawValue - ReportLevel.network.rawValue, 0) * 2
        text = line.title(columns: TableTitle.mostColumns - indent).withUnsafeBytes { escapedForTerminal($0) }
        width = indent + text.utf8.count { $0 & 0xC0 != 0x80 }
    }

    static var mostColumns: Int { 40 }

    func write(to table: inout TableText, columns: Int) {
        table.pad(indent)
        table.left(text, columns - indent, width: width - indent)
    }
}

extension Report {
    /// Returns the width of the title column in characters. `deepest`: the deepest level of lines that is shown.
    func titleColumns(_ deepest: ReportLevel) -> Int {
        lines.reduce(8) { $1.level <= deepest ? min(max($0, TableTitle($1).width), TableTitle.mostColumns) : $0 }
    }
}

internal import SKANCore

/// The heads of a table's columns.
func tableHeads(_ heads: [StaticString]) -> HTML {
    HTML.each(heads) { "<th scope=\"col\">\($0)</th>" }
}

/// A cell of a table; a dash for what there is not. A second line says more of it.
func tableCell(_ text: Message?, below: Message? = nil) -> HTML {
    let second: HTML = below.map { "<small>\(onTwoLinesAtMost($0))</small>" } ?? ""
    return "<td>\(text ?? "–")\(second)</td>"
}

/// A text of three words, as "5,231.27 to 5,706.49" is: the first two stay on one line, however narrow its column is.
private func onTwoLinesAtMost(_ text: Message) -> HTML {
    let parts = text.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1)
    guard let first = parts.first, let rest = parts.last, parts.count == 2 else { return "\(text)" }
    return "\([UInt8](first))&nbsp;\([UInt8](rest))"
}

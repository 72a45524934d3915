internal import SKANCore

/// The heads of a table's columns.
func tableHeads(_ heads: [StaticString]) -> HTML {
    HTML.each(heads) { "<th scope=\"col\">\($0)</th>" }
}

/// A cell of a table; a dash for what there is not. A second line says more of it.
func tableCell(_ text: Message?, below: Message? = nil) -> HTML {
    let second: HTML = below.map { "<small>\($0)</small>" } ?? ""
    return "<td>\(text ?? "–")\(second)</td>"
}

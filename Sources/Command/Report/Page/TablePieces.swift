internal import SKANCore

/// The heads of a table's columns.
func tableHeads(_ heads: [StaticString]) -> HTML {
    HTML.each(heads) { "<th scope=\"col\">\($0)</th>" }
}

/// A cell of a table; a dash for what there is not.
func tableCell(_ text: Message?) -> HTML {
    "<td>\(text ?? "–")</td>"
}

import SKANCore

/// Returns a bar divided in proportion to the parts of a sum, for one row of a table; empty if the sum is 0.
func shareBar(_ parts: [UInt64]) -> HTML {
    let sum = parts.reduce(0, +)
    guard sum > 0 else { return "" }
    var bar: HTML = ""
    var left = 0.0
    for (place, part) in parts.enumerated() where part > 0 {
        let width = Double(part) / Double(sum) * 100
        bar += """
            <rect class="s\(place)" x="\(left, places: 1)%" width="\(width, places: 1)%" height="12"/>
            """
        left += width
    }
    return "<svg class=\"w\" width=\"100%\" height=\"12\" aria-hidden=\"true\">\(bar)</svg>"
}

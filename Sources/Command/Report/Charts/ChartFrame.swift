import SKANCore

/// The parts of a chart around its drawing: a title, a description for readers who cannot see the chart, and a remark.
struct ChartFrame {
    /// The HTML id, unique on the page.
    let id: Message
    let title: Message
    let description: Message
    /// Shown below the drawing.
    var remark: Message?

    /// Returns the whole figure. `key`: the legend above the drawing. `below`: more HTML below the drawing and the
    /// remark. `table`: the table of the figures; empty if they are elsewhere on the page.
    func html(key: HTML = "", drawing: HTML, below: HTML = "", table: HTML = "") -> HTML {
        let remark: HTML = remark.map { "<p class=\"remark\">\($0)</p>\n" } ?? ""
        let isBelow: HTML = table.utf8.isEmpty ? "" : " The figures are in the table below."
        let details: HTML =
            table.utf8.isEmpty
            ? "" : "<details class=\"data\"><summary>Figures of “\(title)”</summary>\(table)</details>\n"
        return """
            <figure><figcaption>\(title)</figcaption>
            \(key)<svg role="img" aria-labelledby="\(id)-t" aria-describedby="\(id)-d" width="100%" \
            height="\(plotBottom + 24)"><title id="\(id)-t">\(title)</title>\
            <desc id="\(id)-d">\(description)\(isBelow)</desc>\(drawing)</svg>
            \(remark)\(below)\(details)</figure>

            """
    }
}

/// The upper edge of the plot, in pixels from the top of the drawing.
var plotTop: Int { 22 }
/// The lower edge of the plot, in pixels from the top of the drawing.
var plotBottom: Int { plotTop + plotHeight }
var plotHeight: Int { 150 }

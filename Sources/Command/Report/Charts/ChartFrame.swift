import SKANCore

/// The figure around a drawing: its title, a description for readers who cannot see it, and the table of its figures.
struct ChartFrame {
    /// Unique on the page.
    let id: Message
    let title: Message
    /// What is drawn, and how.
    let description: Message
    /// What to know of it, below the drawing.
    var remark: Message?

    /// `key`: what colours mean, above the drawing. `table`: empty if another place of the page has the figures.
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

/// Where charts are drawn, in pixels from the top.
var plotTop: Int { 22 }
var plotBottom: Int { plotTop + plotHeight }
var plotHeight: Int { 150 }

import SKANCore

/// The figure around a drawing of this height: its title, colour key, a description for readers who cannot see it, and
/// the table of its figures. It needs no scripts, and text keeps its size at any page width, since positions in
/// drawings are percentages.
func chartFrame(_ chart: Chart, height: Int, _ drawing: HTML) -> HTML {
    """
    <figure\(chart.isWide ? isWide : "")><figcaption>\(chart.title)</figcaption>
    \(chartKey(chart))\
    <svg role="img" aria-labelledby="\(chart.id)-t" aria-describedby="\(chart.id)-d" width="100%" height="\(height)">\
    <title id="\(chart.id)-t">\(chart.title)</title>\
    <desc id="\(chart.id)-d">\(chart.description) The figures are in the table below.</desc>
    \(drawing)</svg>
    \(chartRemark(chart))\(chartMeanings(chart))\(chartTable(chart))</figure>

    """
}

private var isWide: HTML { " class=\"w\"" }

private func chartRemark(_ chart: Chart) -> HTML {
    chart.remark.map { "<p class=\"remark\">\($0)</p>\n" } ?? ""
}

private func chartMeanings(_ chart: Chart) -> HTML {
    guard !chart.meanings.isEmpty else { return "" }
    let rows = HTML.each(chart.meanings) { "<div><dt>\($0.term)</dt><dd><bdi>\($0.meaning)</bdi></dd></div>\n" }
    return "<dl class=\"meanings\">\n\(rows)</dl>\n"
}

/// The key of the series' colours; empty if there is only one series.
private func chartKey(_ chart: Chart) -> HTML {
    guard chart.series.count > 1 else { return "" }
    var key: HTML = ""
    for (place, name) in chart.series.enumerated() {
        key += "<span><span class=\"k\(place)\"></span>\(name)</span> "
    }
    return """
        <p class="key" aria-hidden="true">\(key)</p>

        """
}

private func chartTable(_ chart: Chart) -> HTML {
    let heads = [chart.labelHead] + chart.series + (chart.noteHead.map { [$0] } ?? [])
    let rows = HTML.each(chart.rows) { row in
        let note: HTML = chart.noteHead == nil ? "" : tableCell(row.note ?? "")
        return """
            <tr><th scope="row"><bdi>\(row.label)</bdi></th>\
            \(HTML.each(row.figures) { tableCell($0.text ?? "not known") })\(note)</tr>

            """
    }
    return """
        <details><summary>Figures of “\(chart.title)”</summary><div class="wide"><table>\
        <caption>\(chart.title)</caption><thead><tr>\(tableHeads(heads))</tr></thead><tbody>
        \(rows)</tbody></table></div></details>

        """
}

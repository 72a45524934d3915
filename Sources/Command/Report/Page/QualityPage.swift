import SKANCommandOutput
import SKANCommandRows
import SKANCore

extension Report {
    /// The part of the page on data quality: how many postbacks of each network were respelled, illegal and refused,
    /// why, and what to do.
    var qualityPart: HTML {
        let warnings = HTML.each(qualityWarnings) { "<li><strong>Warning:</strong> \($0)</li>\n" }
        let unknown = HTML.each(quality.unknown) { name, count in
            "<li>Not known: \(name.field) <bdi>\(name.name)</bdi>: \(count.readable)</li>\n"
        }
        let advice = HTML.each(quality.advice) { "<li>\($0)</li>\n" }
        let left: HTML = quality.left.networks > 0 ? "<li>\(quality.leftSentence)</li>\n" : ""
        let method: HTML = "<p>\(DataQuality.method)</p>\n"
        let all: HTML = "\(warnings)\(unknown)\(left)\(advice)"
        return "<h2>Data quality</h2>\n\(qualityRows)\(all.utf8.isEmpty ? "" : "<ul>\n\(all)</ul>\n")\(method)"
    }

    private var qualityRows: HTML {
        if quality.lines.isEmpty { return "<p>No postback has arrived.</p>\n" }
        let heads = tableHeads(["Network"] + QualityColumn.allCases.map { $0.title } + ["Why refused"])
        return """
            <div class="wide" role="region" aria-label="Data quality" tabindex="0"><table>\
            <caption>Postbacks by network, as they arrived</caption><thead><tr>\(heads)</tr></thead><tbody>
            \(HTML.each(quality.lines) { row($0) })</tbody></table></div>

            """
    }

    private func row(_ line: QualityLine) -> HTML {
        var why: Message = ""
        for reason in line.quality.refused.reasons where reason.count > 0 {
            let separator: StaticString = why.utf8.isEmpty ? "" : ", "
            why = "\(why)\(separator)\(reason.words): \(reason.count.readable)"
        }
        return """
            <tr><th scope="row"><bdi>\(line.title)</bdi></th>\
            \(HTML.each([QualityColumn](QualityColumn.allCases)) { tableCell($0.count(line.quality).readable) })\
            \(tableCell(why.utf8.isEmpty ? nil : why))</tr>

            """
    }
}

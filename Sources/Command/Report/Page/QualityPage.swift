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
        let list: HTML = all.utf8.isEmpty ? "" : "<ul>\n\(all)</ul>\n"
        return "<h2 id=\"quality\">Data quality</h2>\n\(qualityRows)\(list)\(method)"
    }

    private var qualityRows: HTML {
        if quality.lines.isEmpty { return "<p>No postback has arrived.</p>\n" }
        let table = PageTable(
            rowHead: "Network", caption: "Postbacks by network, as they arrived",
            columns: QualityColumn.allCases.map { PageColumn(name: "\($0.title)") }
                + [PageColumn(name: "Why refused", kind: "t")])
        let rows = HTML.each(quality.lines) { line in
            let counts = [QualityColumn](QualityColumn.allCases).map { PageCell(count: $0.count(line.quality)) }
            return table.row(line.titleHTML, counts + [PageCell(why(line))])
        }
        return "\(table.head)\(rows)\(table.end)"
    }

    private func why(_ line: QualityLine) -> Message? {
        var why: Message = ""
        for reason in line.quality.refused.reasons where reason.count > 0 {
            let separator: StaticString = why.utf8.isEmpty ? "" : ", "
            why = "\(why)\(separator)\(reason.words): \(reason.count.readable)"
        }
        return why.utf8.isEmpty ? nil : why
    }
}

extension QualityLine {
    fileprivate var titleHTML: HTML { line.titleHTML(isAlone: false) }
}

import SKANCommandOutput
import SKANCommandRows
import SKANCore

extension Report {
    /// Writes how many postbacks of each network were respelled, illegal or refused, and what to do.
    func writeQuality(to table: inout TableText) {
        guard quality.isRemarkable else { return }
        let width = quality.lines.reduce(12) { max($0, min(characters($1.title), TableTitle.mostColumns)) }
        table.append("\ndata quality\n")
        table.left("network", width)
        for head in QualityColumn.allCases { table.right("\(head.head)", 12) }
        table.endLine()
        for line in quality.lines {
            let title = shortened(line.title, width).withUnsafeBytes { escapedForTerminal($0) }
            write(title, width, line.quality, to: &table)
            for reason in line.quality.refused.reasons where reason.count > 0 {
                table.append("  refused, \(reason.words): \(reason.count.readable)\n")
            }
        }
        if quality.left.networks > 0 { table.append("\(quality.leftSentence)\n") }
        write("all", width, quality.total, to: &table)
        for (name, count) in quality.unknown {
            let text = name.name.withUnsafeBytes { escapedForTerminal($0) }
            table.append("not known: \(Message(utf8: name.field)) \(text): \(count.readable)\n")
        }
        for sentence in qualityWarnings { table.append("warning: \(sentence)\n") }
        for advice in quality.advice { table.append("\(advice)\n") }
        if quality.hasWarnings { table.append("\(DataQuality.method)\n") }
    }

    private func write(_ title: Message, _ width: Int, _ quality: NetworkQuality, to table: inout TableText) {
        table.left(title, width, width: characters(title.utf8))
        for column in QualityColumn.allCases { table.right(column.count(quality), 12) }
        table.endLine()
    }
}

import SKANCommandOutput
import SKANCommandRows
import SKANCore

extension JSONWriter {
    /// Writes "opens": the total, and the counts of each reference with the line that it names.
    mutating func write(_ opens: ReportedOpens, _ lines: [ReportLine]) {
        key("opens")
        beginObject()
        member("store", text: opens.store.utf8)
        write("installs", count: opens.installs)
        write(opens.sum)
        key("references")
        beginArray()
        for open in opens.lines(of: lines) {
            beginObject()
            member("reference", text: open.reference.isEmpty ? nil : open.reference)
            write(open.counts)
            let line = open.line.map { lines[$0] }
            member("network", text: line?.network)
            member("identifier", text: line?.identifier)
            member(
                "reengagements",
                line.map { Int64(clamping: Figures($0.counts, .reengagements).conversions[.reengagement]) })
            endObject()
        }
        endArray()
        endObject()
    }

    private mutating func write(_ counts: OpenCounts) {
        for figure in OpenFigure.all { write(figure.key, count: figure.count(counts)) }
    }
}

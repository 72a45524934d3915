import SKANCommandOutput
import SKANCommandRows
import SKANCore

extension JSONWriter {
    /// Writes "opens": the total, and the counts of each reference with the line that it names.
    mutating func write(_ opens: ReportedOpens, _ lines: [ReportLine]) {
        object("opens") {
            $0.member("store", text: opens.store.utf8)
            $0.write("installs", count: opens.installs)
            $0.write(opens.sum)
            $0.objects("references", opens.lines(of: lines)) { json, open in
                json.member("reference", text: open.reference.isEmpty ? nil : open.reference)
                json.write(open.counts)
                let line = open.line.map { lines[$0] }
                json.member("network", text: line?.network)
                json.member("identifier", text: line?.identifier)
                json.member(
                    "reengagements",
                    line.map { Int64(clamping: Figures($0.counts, .reengagements).conversions[.reengagement]) })
            }
        }
    }

    private mutating func write(_ counts: OpenCounts) {
        for figure in OpenFigure.all { write(figure.key, count: figure.count(counts)) }
    }
}

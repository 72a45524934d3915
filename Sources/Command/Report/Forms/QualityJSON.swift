import SKANCommandOutput
import SKANCommandRows
import SKANCore

extension JSONWriter {
    /// Writes "data_quality": the counts and warnings for each network, unknown names, and what to do.
    mutating func write(_ quality: DataQuality) {
        object("data_quality") {
            $0.object("total") { $0.writeMembers(quality.total) }
            $0.objects("networks", quality.lines) { $0.writeMembers($1) }
            $0.object("further_networks") {
                $0.write("networks", count: UInt64(quality.left.networks))
                $0.write("refused", count: quality.left.postbacks)
            }
            $0.objects("unknown_types", quality.unknown) { json, unknown in
                json.member("field", text: unknown.name.field)
                json.member("name", text: unknown.name.name)
                json.write("count", count: unknown.count)
            }
            $0.key("what_to_do")
            $0.beginArray()
            for advice in quality.advice { $0.text(advice) }
            $0.endArray()
        }
    }

    private mutating func writeMembers(_ line: QualityLine) {
        member("network", text: line.network.isEmpty ? nil : line.network)
        member("network_name", text: line.networkName)
        writeMembers(line.quality)
        objects("warnings", line.warnings) {
            $0.member("kind", text: [UInt8]($1.key.bytes))
            $0.member("sentence", text: $1.sentence(Message(utf8: line.title)).utf8)
        }
    }

    private mutating func writeMembers(_ quality: NetworkQuality) {
        for column in QualityColumn.allCases where column != .refused {
            write(column.key, count: column.count(quality))
        }
        object("refused") { $0.writeMembers(quality.refused.reasons) }
    }
}

/// The names of the CSV's last columns, each preceded by a comma. The cells are filled only in the rows for all windows
/// of the total and of networks.
var qualityHeader: Message { ",respelled,illegal_values,unknown_types,refused" }

extension CSVWriter {
    mutating func write(_ quality: NetworkQuality?) {
        for column in QualityColumn.allCases where column != .counted {
            plain(quality.map { "\(column.count($0))" } ?? "")
        }
    }
}

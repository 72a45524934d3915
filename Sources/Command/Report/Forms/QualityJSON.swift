import SKANCommandOutput
import SKANCommandRows
import SKANCore

extension JSONWriter {
    /// Writes "data_quality".
    mutating func write(_ quality: DataQuality) {
        key("data_quality")
        beginObject()
        key("total")
        beginObject()
        writeMembers(quality.total)
        endObject()
        key("networks")
        beginArray()
        for line in quality.lines { write(line) }
        endArray()
        key("further_networks")
        beginObject()
        write("networks", count: UInt64(quality.left.networks))
        write("refused", count: quality.left.postbacks)
        endObject()
        key("unknown_types")
        beginArray()
        for (name, count) in quality.unknown {
            beginObject()
            member("field", text: name.field)
            member("name", text: name.name)
            write("count", count: count)
            endObject()
        }
        endArray()
        key("what_to_do")
        beginArray()
        for advice in quality.advice { advice.utf8.withUnsafeBytes { string(utf8: $0) } }
        endArray()
        endObject()
    }

    private mutating func write(_ line: QualityLine) {
        beginObject()
        member("network", text: line.network.isEmpty ? nil : line.network)
        member("network_name", text: line.networkName)
        writeMembers(line.quality)
        key("warnings")
        beginArray()
        for warning in line.warnings {
            beginObject()
            member("kind", text: [UInt8](warning.key.bytes))
            member("sentence", text: warning.sentence(Message(utf8: line.title)).utf8)
            endObject()
        }
        endArray()
        endObject()
    }

    private mutating func writeMembers(_ quality: NetworkQuality) {
        for column in QualityColumn.allCases where column != .refused {
            write(column.key, count: column.count(quality))
        }
        key("refused")
        beginObject()
        for reason in quality.refused.reasons { write(reason.key, count: reason.count) }
        endObject()
    }
}

/// The columns of CSV, which come after all others: counted in rows of all windows, of the total and of networks.
var qualityHeader: Message { ",respelled,illegal_values,unknown_types,refused" }

extension CSVWriter {
    mutating func write(_ quality: NetworkQuality?) {
        for column in QualityColumn.allCases where column != .counted {
            plain(quality.map { "\(column.count($0))" } ?? "")
        }
    }
}

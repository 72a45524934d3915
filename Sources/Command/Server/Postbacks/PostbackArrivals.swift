import SKANCore
import SKANSystem

/// The arrival time of the last counted postback and the quality of all, by ad network and version. The times show
/// whether a network has become silent. Thread-safe.
final class PostbackArrivals: @unchecked Sendable {
    private struct Line {
        var labels: Message { "network=\"\(Message(utf8: network))\",version=\"\(Message(utf8: version))\"" }
        let network: [UInt8]
        let version: [UInt8]
        var last: Int64
        var quality = PostbackQuality()
    }

    private var lines: [Line] = []
    private let lock = Lock()

    /// The number of pairs of ad network and version that are counted separately. Later pairs count together as
    /// "other".
    private static var most: Int { 256 }

    /// `version`: nil for AdAttributionKit, which has none. `moment`: the arrival time in Unix seconds.
    func add(_ network: [UInt8], version: Bytes?, at moment: Int64, _ quality: PostbackQuality) {
        let network = label(network)
        let version: [UInt8] = version.map { label([UInt8]($0)) } ?? [UInt8](("AdAttributionKit" as StaticString).bytes)
        lock.hold {
            if update(network, version, moment, quality) { return }
            if lines.count < PostbackArrivals.most {
                lines.append(Line(network: network, version: version, last: moment, quality: quality))
            } else if !update(other, other, moment, quality) {
                lines.append(Line(network: other, version: other, last: moment, quality: quality))
            }
        }
    }

    var metrics: Message {
        var text = ByteBuffer(capacity: 1024)
        text.appendFamily(
            "skan_postback_last_counted_time_seconds", "gauge",
            "Arrival of the last counted postback since the start, in Unix seconds.")
        let lines = lock.hold { self.lines }
        for line in lines {
            text.append(line: "skan_postback_last_counted_time_seconds{\(line.labels)} \(line.last)\n")
        }
        for kind in PostbackQuality.kinds {
            text.appendFamily(kind.name, "counter", kind.help)
            for line in lines { text.append(line: "\(kind.name){\(line.labels)} \(kind.count(line.quality))\n") }
        }
        return Message(utf8: text.array)
    }

    /// Returns false if the network and version have no line yet. The lock must be held.
    private func update(
        _ network: [UInt8], _ version: [UInt8], _ moment: Int64, _ quality: PostbackQuality
    ) -> Bool {
        for index in lines.indices where lines[index].network == network && lines[index].version == version {
            lines[index].last = max(lines[index].last, moment)
            lines[index].quality.add(quality)
            return true
        }
        return false
    }
}

private var other: [UInt8] { [UInt8](("other" as StaticString).bytes) }

/// Returns the text if it is a label that needs no escaping, otherwise "other".
private func label(_ text: [UInt8]) -> [UInt8] {
    let isPlain = text.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    return isPlain && 1...100 ~= text.count ? text : other
}

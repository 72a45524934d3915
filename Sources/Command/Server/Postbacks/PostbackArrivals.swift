internal import SKANCore
internal import SKANSystem

/// The times at which the last counted postbacks came, by ad network and version, so that silence can be seen. Any
/// thread.
final class PostbackArrivals: @unchecked Sendable {
    private struct Line {
        let network: [UInt8]
        let version: [UInt8]
        var last: Int64
    }

    private var lines: [Line] = []
    private let lock = Lock()

    /// Whoever has many ad networks makes no more lines: further ones are "other" together.
    private static var most: Int { 256 }

    /// `version`: nil of AdAttributionKit's, which have none. `moment`: Unix seconds.
    func add(_ network: [UInt8], version: Bytes?, at moment: Int64) {
        let network = label(network)
        let version: [UInt8] = version.map { label([UInt8]($0)) } ?? [UInt8](("AdAttributionKit" as StaticString).bytes)
        lock.hold {
            if update(network, version, moment) { return }
            if lines.count < PostbackArrivals.most {
                lines.append(Line(network: network, version: version, last: moment))
            } else if !update(other, other, moment) {
                lines.append(Line(network: other, version: other, last: moment))
            }
        }
    }

    /// The metrics in Prometheus' text form.
    var metrics: Message {
        var text = ByteBuffer(capacity: 1024)
        text.appendFamily(
            "skan_postback_last_counted_time_seconds", "gauge",
            "Arrival of the last counted postback since the start, in Unix seconds.")
        for line in lock.hold({ lines }) {
            let labels: Message =
                "network=\"\(Message(utf8: line.network))\",version=\"\(Message(utf8: line.version))\""
            text.append(line: "skan_postback_last_counted_time_seconds{\(labels)} \(line.last)\n")
        }
        return Message(utf8: text.array)
    }

    /// The lock is held. False: there is no such line.
    private func update(_ network: [UInt8], _ version: [UInt8], _ moment: Int64) -> Bool {
        for index in lines.indices where lines[index].network == network && lines[index].version == version {
            lines[index].last = max(lines[index].last, moment)
            return true
        }
        return false
    }
}

private var other: [UInt8] { [UInt8](("other" as StaticString).bytes) }

/// The text as it stands if it needs no escapes, else "other".
private func label(_ text: [UInt8]) -> [UInt8] {
    let isPlain = text.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    return isPlain && 1...100 ~= text.count ? text : other
}

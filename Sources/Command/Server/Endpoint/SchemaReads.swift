import SKANCore
import SKANSystem

/// Counts, for each network, the requests answered with a model's rows, or with 304 because the network's copy is
/// current. Thread-safe.
final class SchemaReads: @unchecked Sendable {
    private var counts: [(network: [UInt8], count: UInt64)] = []
    private let lock = Lock()

    func add(_ network: [UInt8]) {
        lock.hold {
            if let place = counts.firstIndex(where: { $0.network == network }) {
                counts[place].count += 1
            } else {
                counts.append((network, 1))
            }
        }
    }

    /// Writes the metric, or nothing before the first read. Names of networks need no escaping.
    func write(to text: inout ByteBuffer) {
        let counts = lock.hold { self.counts }
        if counts.isEmpty { return }
        text.appendFamily(
            "skan_schema_reads_total", "counter",
            "Requests by which a network got the rows of a model, or learned that its copy is current.")
        for (network, count) in counts {
            text.append(line: "skan_schema_reads_total{network=\"\(Message(utf8: network))\"} \(count)\n")
        }
    }
}

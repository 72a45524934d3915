import SKANCore
import Synchronization

/// Counters of one route: the outcomes of its requests, and how long they took.
final class RouteMetrics: @unchecked Sendable {
    private let name: StaticString
    private let buckets: UnsafeMutablePointer<Atomic<UInt64>>
    private let microseconds = Atomic<UInt64>(0)
    private let series: UnsafeMutablePointer<Series>
    /// The number of series in use, which come first and are complete.
    private let used = Atomic<Int>(0)

    /// The counter of one outcome and its HTTP status.
    private struct Series: ~Copyable {
        let outcome: StaticString
        let status: UInt32
        let count = Atomic<UInt64>(1)

        init(_ outcome: StaticString, _ status: UInt32) {
            self.outcome = outcome
            self.status = status
        }
    }

    private static var seriesCount: Int { 64 }

    init(_ name: StaticString) {
        self.name = name
        let count = bucketEnds.count + 1
        buckets = .allocate(capacity: count)
        for index in 0..<count { (buckets + index).initialize(to: Atomic(0)) }
        series = .allocate(capacity: RouteMetrics.seriesCount)
    }

    deinit {
        series.deinitialize(count: used.load(ordering: .relaxed))
        series.deallocate()
        buckets.deinitialize(count: bucketEnds.count + 1)
        buckets.deallocate()
    }

    func add(microseconds: UInt64) {
        var bucket = 0
        while bucket < bucketEnds.count, microseconds > bucketEnds[bucket].microseconds { bucket += 1 }
        buckets[bucket].add(1, ordering: .relaxed)
        self.microseconds.add(microseconds, ordering: .relaxed)
    }

    /// Counts an answer in its series; returns false if there is none yet.
    func add(_ outcome: StaticString, _ status: UInt32) -> Bool {
        for index in 0..<used.load(ordering: .acquiring)
        where series[index].status == status && series[index].outcome.bytes.elementsEqual(outcome.bytes) {
            series[index].count.add(1, ordering: .relaxed)
            return true
        }
        return false
    }

    /// Makes the series for the first request with this outcome and status. Only one thread may call it at a time.
    func make(_ outcome: StaticString, _ status: UInt32) {
        let place = used.load(ordering: .relaxed)
        guard !add(outcome, status), place < RouteMetrics.seriesCount else { return }
        (series + place).initialize(to: Series(outcome, status))
        used.store(place + 1, ordering: .releasing)
    }

    func writeRequests(to text: inout ByteBuffer) {
        for index in 0..<used.load(ordering: .acquiring) {
            let labels: Message =
                "route=\"\(name)\",outcome=\"\(series[index].outcome)\",status=\"\(series[index].status)\""
            text.append(line: "skan_http_requests_total{\(labels)} \(series[index].count.load(ordering: .relaxed))\n")
        }
    }

    func writeDurations(to text: inout ByteBuffer) {
        let family: Message = "skan_http_request_duration_seconds"
        var sum: UInt64 = 0
        for index in 0...bucketEnds.count {
            sum += buckets[index].load(ordering: .relaxed)
            let end: StaticString = index < bucketEnds.count ? bucketEnds[index].seconds : "+Inf"
            text.append(line: "\(family)_bucket{route=\"\(name)\",le=\"\(end)\"} \(sum)\n")
        }
        let total = microseconds.load(ordering: .relaxed)
        text.append(line: "\(family)_sum{route=\"\(name)\"} \(total / 1_000_000).")
        text.append(decimal: total % 1_000_000, digits: 6)
        text.append(line: "\n\(family)_count{route=\"\(name)\"} \(sum)\n")
    }
}

/// The upper bounds of the histogram's buckets.
private let bucketEnds: [(microseconds: UInt64, seconds: StaticString)] = [
    (50, "5e-05"), (100, "0.0001"), (250, "0.00025"), (500, "0.0005"), (1000, "0.001"), (2500, "0.0025"),
    (5000, "0.005"), (10_000, "0.01"), (25_000, "0.025"), (50_000, "0.05"), (100_000, "0.1"), (250_000, "0.25"),
    (500_000, "0.5"), (1_000_000, "1"),
]

extension ByteBuffer {
    mutating func append(line: Message) { line.utf8.withUnsafeBytes { append($0) } }
}

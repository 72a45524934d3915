import SKANCore
import Synchronization

/// Counters of one route: its requests by outcome and status, and their durations.
final class RouteMetrics: @unchecked Sendable {
    private let name: StaticString
    private let durations = DurationHistogram()
    private let series: UnsafeMutablePointer<Series>
    /// The number of initialized elements at the start of `series`.
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
        series = .allocate(capacity: RouteMetrics.seriesCount)
    }

    deinit {
        series.deinitialize(count: used.load(ordering: .relaxed))
        series.deallocate()
    }

    func add(microseconds: UInt64) { durations.add(microseconds: microseconds) }

    /// Returns false if there is no series for this outcome and status yet.
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
        durations.write("skan_http_request_duration_seconds", "route=\"\(name)\"", to: &text)
    }
}

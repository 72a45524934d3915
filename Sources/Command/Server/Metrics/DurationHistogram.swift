import SKANCore
import Synchronization

/// Counts durations in the buckets of a Prometheus histogram. Thread-safe.
final class DurationHistogram: @unchecked Sendable {
    private let buckets: UnsafeMutablePointer<Atomic<UInt64>>
    private let microseconds = Atomic<UInt64>(0)

    init() {
        let count = bucketEnds.count + 1
        buckets = .allocate(capacity: count)
        for index in 0..<count { (buckets + index).initialize(to: Atomic(0)) }
    }

    deinit {
        buckets.deinitialize(count: bucketEnds.count + 1)
        buckets.deallocate()
    }

    func add(microseconds: UInt64) {
        var bucket = 0
        while bucket < bucketEnds.count, microseconds > bucketEnds[bucket].microseconds { bucket += 1 }
        buckets[bucket].add(1, ordering: .relaxed)
        self.microseconds.add(microseconds, ordering: .relaxed)
    }

    func write(_ family: StaticString, _ labels: Message, to text: inout ByteBuffer) {
        var sum: UInt64 = 0
        for index in 0...bucketEnds.count {
            sum += buckets[index].load(ordering: .relaxed)
            let end: StaticString = index < bucketEnds.count ? bucketEnds[index].seconds : "+Inf"
            text.append(line: "\(family)_bucket{\(labels),le=\"\(end)\"} \(sum)\n")
        }
        text.append(line: "\(family)_sum{\(labels)} ")
        text.append(seconds: microseconds.load(ordering: .relaxed))
        text.append(line: "\n\(family)_count{\(labels)} \(sum)\n")
    }
}

private let bucketEnds: [(microseconds: UInt64, seconds: StaticString)] = [
    (50, "5e-05"), (100, "0.0001"), (250, "0.00025"), (500, "0.0005"), (1000, "0.001"), (2500, "0.0025"),
    (5000, "0.005"), (10_000, "0.01"), (25_000, "0.025"), (50_000, "0.05"), (100_000, "0.1"), (250_000, "0.25"),
    (500_000, "0.5"), (1_000_000, "1"),
]

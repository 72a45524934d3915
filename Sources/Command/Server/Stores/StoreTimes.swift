import SKANCommandStores
import SKANCore

/// The durations of a store's calls, by kind of call.
final class StoreTimes: Sendable {
    private let loads = DurationHistogram()
    private let saves = DurationHistogram()
    private let removals = DurationHistogram()

    func add(_ call: StoreCall, microseconds: UInt64) { histogram(call).add(microseconds: microseconds) }

    private func histogram(_ call: StoreCall) -> DurationHistogram {
        switch call {
        case .load: loads
        case .save: saves
        case .remove: removals
        }
    }

    static func writeFamily(to text: inout ByteBuffer) {
        text.appendFamily(family, "histogram", "Time of the store's calls; one save may be of many records.")
    }

    func write(store: StaticString, to text: inout ByteBuffer) {
        let calls: [(name: StaticString, histogram: DurationHistogram)] = [
            ("load", loads), ("save", saves), ("remove", removals),
        ]
        for call in calls {
            call.histogram.write(StoreTimes.family, "store=\"\(store)\",call=\"\(call.name)\"", to: &text)
        }
    }

    private static var family: StaticString { "skan_store_call_duration_seconds" }
}

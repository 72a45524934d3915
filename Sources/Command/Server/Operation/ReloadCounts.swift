import CSKANSystem
import SKANCore
import SKANSystem

/// Counts how often reading the configuration again succeeded or failed, and notes when it last succeeded. Thread-safe.
final class ReloadCounts: @unchecked Sendable {
    private struct Counts {
        var taken: UInt64 = 0
        var refused: UInt64 = 0
        var isLastTaken = true
        /// The time at which the configuration in use was read, in Unix seconds.
        var read: Int64
    }

    private let lock = Lock()
    private var counts = Counts(read: Int64(time(nil)))

    func add(isTaken: Bool) {
        lock.hold {
            counts.taken += isTaken ? 1 : 0
            counts.refused += isTaken ? 0 : 1
            counts.isLastTaken = isTaken
            if isTaken { counts.read = Int64(time(nil)) }
        }
    }

    func write(to text: inout ByteBuffer) {
        let now = lock.hold { counts }
        text.appendFamily("skan_reloads_total", "counter", "How often the configuration was to be read again.")
        text.append(line: "skan_reloads_total{result=\"taken\"} \(now.taken)\n")
        text.append(line: "skan_reloads_total{result=\"refused\"} \(now.refused)\n")
        text.appendFamily(
            "skan_last_reload_successful", "gauge", "0 if the last attempt to read the configuration again was refused."
        )
        text.append(line: "skan_last_reload_successful \(now.isLastTaken ? 1 : 0)\n")
        text.appendFamily(
            "skan_configuration_time_seconds", "gauge", "When the configuration in use was read, Unix seconds.")
        text.append(line: "skan_configuration_time_seconds \(now.read)\n")
    }
}

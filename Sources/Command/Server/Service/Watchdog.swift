import SKANCore
import SKANSystem

/// Tells the service manager that the server answers, twice in the time after which it would end a silent one. A server
/// that does not answer a request of its own stays silent.
final class Watchdog {
    private let thread: RepeatingThread?

    private init(_ thread: RepeatingThread?) { self.thread = thread }

    /// nil if no thread can be started. Without a manager that watches the process, it does nothing.
    static func start(_ manager: ServiceManager, _ server: any HTTPServer) -> Watchdog? {
        guard let limit = manager.watchdogMicroseconds else { return Watchdog(nil) }
        let half = Int64(clamping: max(limit / 2000, 1))
        // The answer has to come within the other half of the time.
        let thread = RepeatingThread(everyMilliseconds: max(half * 9 / 10, 1)) {
            if server.answers(withinMilliseconds: half) { manager.tell("WATCHDOG=1") }
        }
        return thread.start() ? Watchdog(thread) : nil
    }

    func stop() { thread?.stop() }
}

import SKANCore
import SKANSystem

/// Notifies the service manager that the server answers, at least twice per watchdog time-out: the silence after which
/// the manager ends a process. Before each notice, the server must have answered a request that it sent to itself.
final class Watchdog {
    private let thread: RepeatingThread?

    private init(_ thread: RepeatingThread?) { self.thread = thread }

    /// Returns nil if no thread can be started. If no manager watches the process, the watchdog does nothing.
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

import CSKANSystem
import SKANCore
import SKANSystem
import Synchronization

/// Ends the command early, on signals and when nobody reads its output any more.
package enum Ending {
    private static let noted = Atomic<Int32>(0)

    /// Notes SIGINT, SIGTERM and SIGHUP; the same signal a second time ends the process. SIGPIPE and SIGXFSZ become
    /// write errors.
    package static func watchSignals() {
        noted.store(0, ordering: .relaxed)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // A signal that the parent process ignores, as nohup does, stays ignored.
            if system_ignores(number) != 0 { continue }
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { Ending.noted.store($0, ordering: .relaxed) }
            action.sa_flags = Int32(truncatingIfNeeded: SA_RESETHAND)
            sigaction(number, &action, nil)
        }
        system_ignore(SIGPIPE)
        // Exceeding the file size limit becomes a write error, too.
        system_ignore(SIGXFSZ)
    }

    /// Whether to stop after the current step, because of a signal or because standard output failed.
    package static var isEnding: Bool { noted.load(ordering: .relaxed) != 0 || StandardOutput.hasFailed }

    /// Flushes standard output, reports if it failed, and returns the exit code: `code`, or `.found` after a failure.
    /// After a signal, ends the process by that signal instead, as its parent expects; and by SIGPIPE if the reader has
    /// closed standard output.
    package static func finish(_ code: ExitCode) -> Int32 {
        Progress.end()
        let isWritten = StandardOutput.flush()
        if !isWritten && StandardOutput.hasNoReader {
            end(by: SIGPIPE)
        } else if !isWritten {
            complain("standard output", StandardOutput.problem)
        }
        let signal = noted.load(ordering: .relaxed)
        if signal != 0 { end(by: signal) }
        return (isWritten ? code : .found).rawValue
    }

    private static func end(by signal: Int32) {
        fflush(system_errors())
        system_end_by(signal)
    }
}

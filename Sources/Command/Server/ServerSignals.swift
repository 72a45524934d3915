import CSKANSystem
import SKANCore
import SKANSystem

/// The signals that end a server, and SIGHUP, on which it reads its configuration again. They are blocked in every
/// thread and received by the thread that waits for them.
package struct ServerSignals {
    private var blocked = sigset_t()

    /// Blocks the signals in this thread and every thread started later, including a store's.
    package init() {
        sigemptyset(&blocked)
        for signal in [SIGTERM, SIGINT, SIGHUP] where !isIgnored(signal) { sigaddset(&blocked, signal) }
        pthread_sigmask(SIG_BLOCK, &blocked, nil)
    }

    /// Unblocks the signals, for a caller that does not wait for them.
    package func release() {
        var signals = blocked
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Waits for another signal that ends the server, for at most this many seconds; returns whether one came.
    func wait(seconds: UInt32) -> Bool {
        var signals = blocked
        let end = millisecondsNow() + Int64(seconds) * 1000
        var left = end - millisecondsNow()
        while left > 0 {
            var time = timespec(tv_sec: Int(left / 1000), tv_nsec: Int(left % 1000) * 1_000_000)
            let got = sigtimedwait(&signals, nil, &time)
            if got > 0 && got != SIGHUP { return true }
            left = end - millisecondsNow()
        }
        return false
    }

    /// Waits for a signal that ends the server, and returns its name. Calls `onHangUp` on each SIGHUP until then.
    func wait(onHangUp: () -> Void) -> Message {
        var signals = blocked
        var got: Int32 = 0
        while sigwait(&signals, &got) != 0 || got == SIGHUP {
            if got == SIGHUP { onHangUp() }
            got = 0
        }
        return Message(strsignal(got))
    }
}

/// Whether the process was started with the signal ignored, as by nohup. It then stays ignored.
private func isIgnored(_ signal: Int32) -> Bool { system_ignores(signal) != 0 }

/// Ends the process at the next signal that ends a server, whatever is under way. Returns false if no thread can be
/// started.
func endProcess(at signals: ServerSignals, _ draining: ServerDraining, _ log: ServerLog) -> Bool {
    let thread = SystemThread {
        let signal = signals.wait {}
        endProcess(draining, log, "\(signal) came again, and not all that was under way has ended")
    }
    thread?.detach()
    return thread != nil
}

/// Ends the process at a moment on the clock of `millisecondsNow`, even if a store does not answer or nobody reads the
/// log. Returns false if no thread can be started.
func endProcess(at moment: Int64, _ draining: ServerDraining, _ log: ServerLog) -> Bool {
    let thread = SystemThread {
        while millisecondsNow() < moment { usleep(UInt32(clamping: max(moment - millisecondsNow(), 1) * 1000)) }
        endProcess(draining, log, "the grace time is over, and not all that was under way has ended")
    }
    thread?.detach()
    return thread != nil
}

/// Logs the reason and ends the process with exit code 1. If only the closing of stores was left, logs nothing and ends
/// it with exit code 0.
private func endProcess(_ draining: ServerDraining, _ log: ServerLog, _ why: Message) {
    let hasEnded = draining.hasEnded
    if !hasEnded { log.event("stopped", why, .warning) }
    log.finish()
    // Enough time for a reader to read the log.
    usleep(50_000)
    _exit(hasEnded ? 0 : 1)
}

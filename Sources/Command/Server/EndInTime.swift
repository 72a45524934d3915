internal import CSKANSystem
internal import SKANCore
internal import SKANSystem

/// Ends the process at a moment on the clock of `millisecondsNow`, whatever hangs: a store that does not answer, a log
/// that nobody reads. False: no thread can be started.
func endProcess(at moment: Int64, _ log: ServerLog) -> Bool {
    let thread = SystemThread {
        while millisecondsNow() < moment { usleep(UInt32(clamping: max(moment - millisecondsNow(), 1) * 1000)) }
        log.event("stopped", "the grace time is over, and not all that was under way has ended")
        log.finish()
        // As long as a reader needs that is there.
        usleep(50_000)
        _exit(1)
    }
    thread?.detach()
    return thread != nil
}

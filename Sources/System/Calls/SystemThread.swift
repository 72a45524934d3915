internal import CSKANSystem

/// A thread in which all signals are blocked, so that signals to the process go to the host's threads, and a SIGPIPE,
/// which goes to the thread that writes, does not end the process.
package struct SystemThread {
    private var thread = pthread_t()

    /// Starts a thread; nil if the system cannot start one. The thread must be joined or detached.
    package init?(_ work: @escaping () -> Void) {
        let context = Unmanaged.passRetained(ThreadWork(work))
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let code = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue().work() }
                return nil
            }, context.toOpaque())
        guard code != 0 else { return }
        context.release()
        return nil
    }

    package func join() { pthread_join(thread, nil) }

    package func detach() { pthread_detach(thread) }
}

private final class ThreadWork {
    let work: () -> Void

    init(_ work: @escaping () -> Void) { self.work = work }
}

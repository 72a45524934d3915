internal import CSKANSystem

/// A thread that does a piece of work.
package struct SystemThread {
    private var thread = pthread_t()

    /// nil: none can be started. It is to be joined or detached.
    package init?(_ work: @escaping () -> Void) {
        let context = Unmanaged.passRetained(ThreadWork(work))
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

    /// Waits until the thread's work is done.
    package func join() { pthread_join(thread, nil) }

    /// Detaches the thread: nobody waits for its end.
    package func detach() { pthread_detach(thread) }
}

private final class ThreadWork {
    let work: () -> Void

    init(_ work: @escaping () -> Void) { self.work = work }
}

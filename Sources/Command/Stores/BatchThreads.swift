import SKANSystem

/// Threads that prepare batches while the caller processes those prepared before.
package final class BatchThreads<Batch: AnyObject>: @unchecked Sendable {
    private let prepare: (Batch) -> Void
    private let monitor = Monitor()
    /// Guarded by the monitor, like the next two members.
    private var waiting: [Batch] = []
    private var prepared: Set<ObjectIdentifier> = []
    private var isStopped = false
    private var threads: [SystemThread] = []

    /// Starts the threads, which `stop` ends. If none can be started, the caller prepares the batches itself.
    package init(_ count: Int, _ prepare: @escaping (Batch) -> Void) {
        self.prepare = prepare
        for _ in 0..<count {
            guard let thread = SystemThread({ self.serve() }) else { break }
            threads.append(thread)
        }
    }

    /// The number of threads.
    package var count: Int { threads.count }

    package func begin(_ batch: Batch) {
        if threads.isEmpty { return prepare(batch) }
        monitor.hold {
            waiting.append(batch)
            monitor.broadcast()
        }
    }

    /// Returns once the batch is prepared. Must be called once for each batch that was begun.
    package func wait(for batch: Batch) {
        if threads.isEmpty { return }
        monitor.hold {
            while prepared.remove(ObjectIdentifier(batch)) == nil { monitor.wait() }
        }
    }

    /// Ends the threads. Waiting batches are not prepared.
    package func stop() {
        monitor.hold {
            isStopped = true
            monitor.broadcast()
        }
        for thread in threads { thread.join() }
        threads = []
    }

    private func serve() {
        while let batch = next() {
            prepare(batch)
            monitor.hold {
                prepared.insert(ObjectIdentifier(batch))
                monitor.broadcast()
            }
        }
    }

    /// Waits for the next batch; nil after `stop`.
    private func next() -> Batch? {
        monitor.hold {
            while waiting.isEmpty && !isStopped { monitor.wait() }
            return isStopped ? nil : waiting.removeFirst()
        }
    }
}

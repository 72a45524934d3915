import SKANSystem

/// Threads that prepare batches while the caller processes batches that were prepared before.
package final class BatchThreads<Batch: AnyObject>: @unchecked Sendable {
    private let prepare: (Batch) -> Void
    private let monitor = Monitor()
    /// The batches that no thread has taken yet. Guarded by the monitor, as are `prepared` and `isStopped`.
    private var waiting: [Batch] = []
    private var prepared: Set<ObjectIdentifier> = []
    private var isStopped = false
    private var threads = SystemThreads()

    /// Starts the threads, which `stop` ends. If no thread can be started, the caller's thread prepares each batch in
    /// `begin`.
    package init(_ count: Int, _ prepare: @escaping (Batch) -> Void) {
        self.prepare = prepare
        threads.start(count) { self.serve() }
    }

    package var count: Int { threads.count }

    package func begin(_ batch: Batch) {
        if threads.count == 0 { return prepare(batch) }
        monitor.hold {
            waiting.append(batch)
            monitor.broadcast()
        }
    }

    /// Returns once the batch is prepared. Must be called once for each batch that was begun.
    package func wait(for batch: Batch) {
        if threads.count == 0 { return }
        monitor.hold {
            while prepared.remove(ObjectIdentifier(batch)) == nil { monitor.wait() }
        }
    }

    /// Ends the threads. Batches that are still waiting are not prepared.
    package func stop() {
        monitor.hold {
            isStopped = true
            monitor.broadcast()
        }
        threads.join()
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

internal import SKANSystem

/// Threads that load batches of records, while the caller goes through those that were loaded before.
final class ReadAhead: @unchecked Sendable {
    private let store: OpenStore
    private let monitor = Monitor()
    /// Guarded by the monitor, as the next two are.
    private var waiting: [RecordBatch] = []
    private var loaded: Set<ObjectIdentifier> = []
    private var isStopped = false
    private var threads: [SystemThread] = []

    /// Starts a thread for each of the store's jobs, which `stop` ends. With one job, or where no thread can be started,
    /// the caller loads the batches itself.
    init(_ store: OpenStore) {
        self.store = store
        guard store.jobs > 1 else { return }
        for _ in 0..<store.jobs {
            guard let thread = SystemThread({ self.serve() }) else { break }
            threads.append(thread)
        }
    }

    /// How many batches are to be loaded before the caller goes through one.
    var batches: Int { threads.count + 1 }

    func begin(_ batch: RecordBatch) {
        if threads.isEmpty { return batch.load(from: store) }
        monitor.hold {
            waiting.append(batch)
            monitor.broadcast()
        }
    }

    /// Comes back when the batch was loaded.
    func wait(for batch: RecordBatch) {
        if threads.isEmpty { return }
        monitor.hold {
            while loaded.remove(ObjectIdentifier(batch)) == nil { monitor.wait() }
        }
    }

    /// Ends the threads. Batches that wait are not loaded.
    func stop() {
        monitor.hold {
            isStopped = true
            monitor.broadcast()
        }
        for thread in threads { thread.join() }
        threads = []
    }

    private func serve() {
        while let batch = next() {
            batch.load(from: store)
            monitor.hold {
                loaded.insert(ObjectIdentifier(batch))
                monitor.broadcast()
            }
        }
    }

    /// Waits for the next batch; nil after `stop`.
    private func next() -> RecordBatch? {
        monitor.hold {
            while waiting.isEmpty && !isStopped { monitor.wait() }
            return isStopped ? nil : waiting.removeFirst()
        }
    }
}

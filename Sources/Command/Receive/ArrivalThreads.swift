internal import CSKANSystem
internal import SKANSystem

/// Threads that read batches, one for each processor, while the caller stores those that were read before.
final class ArrivalThreads: @unchecked Sendable {
    private let reader: ArrivalReader
    private let monitor = Monitor()
    /// Guarded by the monitor, as the next one is.
    private var waiting: [ArrivalBatch] = []
    private var isStopped = false
    private var threads: [SystemThread] = []

    /// The greatest number of threads: more of them would only wait for the store.
    private static var most: Int { 4 }

    /// Starts the threads, which `stop` ends. Where none can be started, the caller reads the batches itself.
    init(_ reader: ArrivalReader) {
        self.reader = reader
        for _ in 0..<min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1), ArrivalThreads.most) {
            guard let thread = SystemThread({ self.serve() }) else { break }
            threads.append(thread)
        }
    }

    func begin(_ batch: ArrivalBatch) {
        if threads.isEmpty {
            batch.read(by: reader)
            batch.isRead = true
            return
        }
        monitor.hold {
            waiting.append(batch)
            monitor.broadcast()
        }
    }

    /// Comes back when the batch was read.
    func wait(for batch: ArrivalBatch) {
        monitor.hold {
            while !batch.isRead { monitor.wait() }
        }
    }

    /// Ends the threads. Batches that wait are not read.
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
            batch.read(by: reader)
            monitor.hold {
                batch.isRead = true
                monitor.broadcast()
            }
        }
    }

    /// Waits for the next batch; nil after `stop`.
    private func next() -> ArrivalBatch? {
        monitor.hold {
            while waiting.isEmpty && !isStopped { monitor.wait() }
            return isStopped ? nil : waiting.removeFirst()
        }
    }
}

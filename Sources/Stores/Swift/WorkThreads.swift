internal import SKANSystem

/// Runs pieces of work in the order in which they came, on up to `limit` threads that are started when they are needed.
/// Blocking calls run here, because Swift's tasks must not block.
final class WorkThreads: @unchecked Sendable {
    typealias Work = @Sendable () -> Void

    private let limit: Int
    /// Guards the properties below. Signalled when there is work, and when the threads have to end.
    private let monitor = Monitor()
    private var waiting: [Work] = []
    private var first = 0
    private var count = 0
    private var idle = 0
    private var isEnding = false

    init(_ limit: Int) { self.limit = limit }

    /// Queues the work for one of the threads. Returns false if no thread could be started.
    func perform(_ work: @escaping Work) -> Bool {
        monitor.hold {
            // Each idle thread takes one waiting piece of work; any more pieces need another thread.
            if waiting.count - first >= idle && count < limit { startOne() }
            guard count > 0 else { return false }
            waiting.append(work)
            monitor.signal()
            return true
        }
    }

    /// Ends the threads once they have done all queued work and then `last`. Returns at once, without waiting for the
    /// threads.
    func end(_ last: @escaping Work) {
        let isTaken = perform(last)
        monitor.hold {
            isEnding = true
            monitor.broadcast()
        }
        if !isTaken { last() }
    }

    /// Starts one more thread, if possible. The caller holds the monitor.
    private func startOne() {
        guard let thread = SystemThread({ self.serve() }) else { return }
        thread.detach()
        count += 1
    }

    private func serve() {
        monitor.hold {
            while true {
                while let work = next() {
                    monitor.give()
                    work()
                    monitor.take()
                }
                if isEnding { break }
                idle += 1
                monitor.wait()
                idle -= 1
            }
            count -= 1
        }
    }

    private func next() -> Work? {
        guard first < waiting.count else { return nil }
        defer {
            first += 1
            if first == waiting.count {
                waiting.removeAll(keepingCapacity: true)
                first = 0
            }
        }
        return waiting[first]
    }
}

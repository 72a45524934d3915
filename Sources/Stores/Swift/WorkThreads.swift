internal import SKANSystem

/// Up to `limit` threads, started as they are needed, that do pieces of work in the order in which they came. For calls
/// that wait: Swift's tasks must not.
final class WorkThreads: @unchecked Sendable {
    typealias Work = @Sendable () -> Void

    private let limit: Int
    /// Signals that there is work, or the end has come.
    private let monitor = Monitor()
    private var waiting: [Work] = []
    private var first = 0
    private var count = 0
    private var idle = 0
    private var isEnding = false

    init(_ limit: Int) { self.limit = limit }

    /// Gives the work to the threads, one of which does it once. False if no thread could be started.
    func perform(_ work: @escaping Work) -> Bool {
        monitor.hold {
            // Each idle thread is good for one piece; what is above that wants a thread more.
            if waiting.count - first >= idle && count < limit { startOne() }
            guard count > 0 else { return false }
            waiting.append(work)
            monitor.signal()
            return true
        }
    }

    /// Ends the threads once they have done what they were given, and this as the last. Does not wait for it.
    func end(_ last: @escaping Work) {
        let isTaken = perform(last)
        monitor.hold {
            isEnding = true
            monitor.broadcast()
        }
        if !isTaken { last() }
    }

    /// The monitor is held.
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

import CSKANSystem
import SKANSystem

/// Work that may block.
protocol Work: AnyObject {
    func perform()
    /// Called instead of `perform` if the work got no place, or the server is ending.
    func giveUp()
}

/// Threads for blocking work, with a bounded queue that is fair to clients. Work that waits in one pool holds up
/// neither other pools nor the connections' threads. If there are too few processors, the connections' threads take
/// precedence. Thread-safe.
package final class WorkPool: @unchecked Sendable {
    /// The name for metrics.
    package let name: StaticString
    private let threadCount: UInt32
    private let monitor = Monitor()
    private var queue: FairQueue<any Work>
    private var hasGivenUp = false
    private var isStopped = false
    private var threads = SystemThreads()

    /// The nice value of the pool's threads, which gives them a third of the weight of the connections' threads. This
    /// halves the time that a client waits for its answer while 36 others send requests as fast as they can.
    private static var givesWay: Int32 { 5 }

    package init(_ name: StaticString, threads: UInt32, queue: Int) {
        self.name = name
        threadCount = threads
        self.queue = FairQueue(places: queue + Int(threads))
    }

    /// Returns false if no thread can be started.
    package func start() -> Bool {
        threads.start(Int(threadCount)) { self.serve() }
        return threads.count > 0
    }

    /// Ends the threads after all work is done.
    package func stop() {
        monitor.hold {
            isStopped = true
            monitor.broadcast()
        }
        threads.join()
    }

    var load: (waiting: Int, busy: Int) { monitor.hold { (queue.waiting, queue.busy) } }

    func hasRoom(for client: ClientAddress) -> Bool { monitor.hold { queue.hasRoom(for: client) } }

    /// If the queue is full, gives up one piece of work, which may be another client's.
    func add(_ work: any Work, of client: ClientAddress) {
        let refused: (any Work)? = monitor.hold {
            if hasGivenUp { return work }
            monitor.signal()
            return queue.add(work, of: client)
        }
        refused?.giveUp()
    }

    /// Gives up all work that waits now or is added later.
    func giveUp() {
        let left = monitor.hold {
            hasGivenUp = true
            return queue.removeAll()
        }
        for work in left { work.giveUp() }
    }

    private func serve() {
        system_give_way(WorkPool.givesWay)
        while let next = next() {
            next.element.perform()
            monitor.hold { queue.finish(next.client) }
        }
    }

    /// Returns nil once the pool is stopped and no work is left.
    private func next() -> (element: any Work, client: ClientAddress)? {
        monitor.hold {
            while queue.isEmpty && !isStopped { monitor.wait() }
            return queue.next()
        }
    }
}

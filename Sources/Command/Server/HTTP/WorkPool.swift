internal import SKANSystem

/// What may wait for others.
protocol Work: AnyObject {
    func perform()
    /// In place of it, once the server waits no longer.
    func giveUp()
}

/// Threads for work that may wait, and a queue of bounded length before them. Who waits in one pool holds up nobody in
/// another, and none of the threads that have the connections. Any thread.
package final class WorkPool: @unchecked Sendable {
    /// For metrics.
    package let name: StaticString
    private let threadCount: UInt32
    private let longest: Int
    private let monitor = Monitor()
    private var waiting: [any Work] = []
    private var busy = 0
    private var hasGivenUp = false
    private var isStopped = false
    private var threads: [SystemThread] = []

    package init(_ name: StaticString, threads: UInt32, queue: Int) {
        self.name = name
        threadCount = threads
        longest = queue
    }

    /// False: no thread can be started.
    package func start() -> Bool {
        for _ in 0..<threadCount {
            guard let thread = SystemThread({ self.serve() }) else { break }
            threads.append(thread)
        }
        return !threads.isEmpty
    }

    /// Ends the threads, once nothing is left to be done.
    package func stop() {
        monitor.hold {
            isStopped = true
            monitor.broadcast()
        }
        for thread in threads { thread.join() }
        threads = []
    }

    /// How many wait, and how many are worked on.
    var load: (waiting: Int, busy: Int) { monitor.hold { (waiting.count, busy) } }

    /// What a thread is about to take waits for nobody.
    var hasRoom: Bool { monitor.hold { waiting.count &+ busy < longest &+ Int(threadCount) } }

    func add(_ work: any Work) {
        let isTaken = monitor.hold {
            if hasGivenUp { return false }
            waiting.append(work)
            monitor.signal()
            return true
        }
        if !isTaken { work.giveUp() }
    }

    /// Whatever waits now or comes later is not begun.
    func giveUp() {
        let left = monitor.hold {
            hasGivenUp = true
            let left = waiting
            waiting = []
            return left
        }
        for work in left { work.giveUp() }
    }

    private func serve() {
        while let work = next() {
            work.perform()
            monitor.hold { busy &-= 1 }
        }
    }

    /// nil once it is stopped.
    private func next() -> (any Work)? {
        monitor.hold {
            while waiting.isEmpty && !isStopped { monitor.wait() }
            guard !waiting.isEmpty else { return nil }
            busy &+= 1
            return waiting.removeFirst()
        }
    }
}

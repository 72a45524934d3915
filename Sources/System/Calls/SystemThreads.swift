package struct SystemThreads {
    private var threads: [SystemThread] = []

    package init() {}

    package var count: Int { threads.count }

    /// Starts this number of threads, or fewer if the system cannot start more. They must be joined.
    package mutating func start(_ count: Int, _ work: @escaping () -> Void) {
        for _ in 0..<count {
            guard let thread = SystemThread(work) else { break }
            threads.append(thread)
        }
    }

    package mutating func join() {
        for thread in threads { thread.join() }
        threads = []
    }
}

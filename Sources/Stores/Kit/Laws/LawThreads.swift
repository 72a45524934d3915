internal import CSKANSystem
internal import SKANCore
internal import SKANSystem
internal import Synchronization

/// A barrier at which threads wait for each other, so that they start together.
private final class StartingLine: Sendable {
    private let waiting = Atomic<Int>(0)
    private let isCalledOff = Atomic<Bool>(false)

    /// Waits until `count` threads are waiting here. Returns false if the start was called off.
    func wait(for count: Int) -> Bool {
        waiting.add(1, ordering: .acquiringAndReleasing)
        while waiting.load(ordering: .acquiring) < count {
            if isCalledOff.load(ordering: .acquiring) { return false }
            sched_yield()
        }
        return true
    }

    func callOff() { isCalledOff.store(true, ordering: .releasing) }
}

extension LawRun {
    /// Runs `work` in as many threads as the run's settings say, and returns their results. If `work` throws in several
    /// threads, throws the error of the thread with the lowest index.
    func inThreads<Output>(
        _ work: @escaping @Sendable (_ index: Int) throws(LawEnd) -> Output
    ) throws(LawEnd) -> [Output] {
        let count = threads
        let line = StartingLine()
        nonisolated(unsafe) let ends = UnsafeMutablePointer<Result<Output, LawEnd>>.allocate(capacity: count)
        defer { ends.deallocate() }
        var started: [SystemThread] = []
        for index in 0..<count {
            let thread = SystemThread {
                guard line.wait(for: count) else { return }
                do throws(LawEnd) {
                    (ends + index).initialize(to: .success(try work(index)))
                } catch {
                    (ends + index).initialize(to: .failure(error))
                }
            }
            if let thread { started.append(thread) } else { break }
        }
        if started.count < count { line.callOff() }
        for thread in started { thread.join() }
        guard started.count == count else { throw .broken("thread \(started.count): could not be started") }
        defer { ends.deinitialize(count: count) }
        return try UnsafeBufferPointer(start: ends, count: count).enumerated().map { index, end throws(LawEnd) in
            if case .failure(.broken(let problem)) = end { throw .broken("thread \(index): \(problem)") }
            return try end.get()
        }
    }
}

func giveWay() { sched_yield() }

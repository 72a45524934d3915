internal import CSKANSystem

/// Up to `limit` threads, started as they are needed, that do pieces of work in the order in which they came. For calls
/// that wait: Swift's tasks must not.
final class WorkThreads: @unchecked Sendable {
    typealias Work = @Sendable () -> Void

    private let limit: Int
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// There is work, or the end has come.
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var waiting: [Work] = []
    private var first = 0
    private var count = 0
    private var idle = 0
    private var isEnding = false

    init(_ limit: Int) {
        self.limit = limit
        mutex.initialize(to: pthread_mutex_t())
        changed.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(changed, nil)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    /// Whether the work will be done, once, by one of the threads. False: no thread could be started.
    func perform(_ work: @escaping Work) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        // Each idle thread is good for one piece; what is above that wants a thread more.
        if waiting.count - first >= idle && count < limit { startOne() }
        guard count > 0 else { return false }
        waiting.append(work)
        pthread_cond_signal(changed)
        return true
    }

    /// Ends the threads once they have done what they were given, and this as the last. Does not wait for it.
    func end(_ last: @escaping Work) {
        let isTaken = perform(last)
        pthread_mutex_lock(mutex)
        isEnding = true
        pthread_cond_broadcast(changed)
        pthread_mutex_unlock(mutex)
        if !isTaken { last() }
    }

    /// The mutex is held.
    private func startOne() {
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return }
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let context = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let serve: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
            if let context { Unmanaged<WorkThreads>.fromOpaque(context).takeRetainedValue().serve() }
            return nil
        }
        if pthread_create(&thread, &attributes, serve, context.toOpaque()) == 0 {
            count += 1
        } else {
            context.release()
        }
    }

    private func serve() {
        pthread_mutex_lock(mutex)
        while true {
            while let work = next() {
                pthread_mutex_unlock(mutex)
                work()
                pthread_mutex_lock(mutex)
            }
            if isEnding { break }
            idle += 1
            pthread_cond_wait(changed, mutex)
            idle -= 1
        }
        count -= 1
        pthread_mutex_unlock(mutex)
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

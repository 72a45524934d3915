internal import SKANStorePool

/// The stores behind a server. Each has threads, a queue and a health of its own, so that one that hangs stops only
/// what needs it.
final class ServedStores {
    private(set) var pools: [WorkPool] = []
    private(set) var healths: [StoreHealth] = []
    private let threads: UInt32
    private let queue: Int

    init(threads: UInt32, queue: UInt32) {
        self.threads = threads
        self.queue = Int(queue)
    }

    /// Adds a store and returns the pool in which requests that need it wait. nil: no thread can be started.
    func add(_ health: StoreHealth) -> WorkPool? {
        let pool = WorkPool(health.name, threads: threads, queue: queue)
        pools.append(pool)
        healths.append(health)
        return pool.start() && health.start() ? pool : nil
    }

    /// Nothing may be under way.
    func stop() {
        for health in healths { health.stop() }
        for pool in pools { pool.stop() }
    }
}

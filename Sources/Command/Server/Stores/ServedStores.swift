import SKANStorePool

/// The stores behind a server. Each has its own threads, queue and health, so that a store that hangs holds up only the
/// requests that need this store.
final class ServedStores {
    private(set) var pools: [WorkPool] = []
    private(set) var healths: [StoreHealth] = []
    private let threads: UInt32
    private let queue: Int

    init(threads: UInt32, queue: UInt32) {
        self.threads = threads
        self.queue = Int(queue)
    }

    /// Returns the pool for requests that need the store; nil if no thread can be started.
    func add(_ health: StoreHealth) -> WorkPool? {
        let pool = WorkPool(health.name, threads: threads, queue: queue)
        pools.append(pool)
        healths.append(health)
        return pool.start() && health.start() ? pool : nil
    }

    /// No request may be under way.
    func stop() {
        for health in healths { health.stop() }
        for pool in pools { pool.stop() }
    }
}

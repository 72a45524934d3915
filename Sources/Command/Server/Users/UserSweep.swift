import SKANCommandOutput
import SKANCommandStores
import SKANCore
import SKANEngine
import SKANSystem
import Synchronization

/// Limits the number of users in a store. Walks the users at the start, every hour, and when there may be too many. If
/// there are too many, removes the least recently seen until nine tenths of the limit are left. Has its own thread.
package final class UserSweep: @unchecked Sendable {
    private let store: OpenStore
    private let most: UInt64
    private let log: ServerLog
    private let thread: SweepThread
    /// The number of users left after the last walk.
    private let found = Atomic<UInt64>(0)
    /// The number of users that this process has added since the last walk began.
    private let added = Atomic<UInt64>(0)
    private let removed = Atomic<UInt64>(0)
    private let lock = Lock()
    /// The numbers of users by model that the last complete walk found; nil before the first. Guarded by the lock.
    private var models: ModelUsers?
    /// The time at which the last sweep began, on the clock of `microsecondsNow`; nil before the first.
    private var begun: UInt64?

    /// `store` may be opened with relaxed durability, since a removal lost in a power failure is simply made again.
    init(_ store: OpenStore, most: UInt64, _ log: ServerLog) {
        self.store = store
        self.most = most
        self.log = log
        thread = SweepThread("users", log)
    }

    /// Starts the thread, which `stop` ends. If no thread can be started, nothing is removed.
    func start() { thread.start { [unowned(unsafe) self] in sweepWhereDue() } }

    func stop() { thread.stop() }

    /// Counts a user that was added to the store.
    func noteNew() { added.add(1, ordering: .relaxed) }

    /// The number of users as far as this process knows, and the number of users that it has removed.
    var counts: (users: Int, gone: UInt64) {
        (Int(clamping: users), removed.load(ordering: .relaxed))
    }

    /// The number of users who began with a model, according to the last complete walk; nil before the first.
    func users(of model: SHA256) -> UInt64? { lock.hold { models.map { $0[model] } } }

    private var users: UInt64 { found.load(ordering: .relaxed) + added.load(ordering: .relaxed) }

    private func sweepWhereDue() {
        let now = microsecondsNow()
        if let begun, now - begun < (users > most ? atLeast : everyHour) { return }
        begun = now
        do throws(CommandEnd) { try sweep() } catch {
            log.event("users", "the users of the store could not be gone through", .warning)
        }
    }

    private func sweep() throws(CommandEnd) {
        added.store(0, ordering: .relaxed)
        var hours = SeenHours()
        var models = ModelUsers()
        let isWhole = try UserWalk.walk(store) { _, _, conversion, last in
            hours.add(last)
            models.add(conversion)
            return !thread.isStopping
        }
        guard isWhole else { return }
        lock.hold { self.models = models }
        found.store(hours.count, ordering: .relaxed)
        guard hours.count > most else { return }
        var oldest = hours.oldest(hours.count - most / 10 * 9)
        var gone: UInt64 = 0
        _ = try UserWalk.walk(store) { batch, index, _, last in
            if oldest.take(last), store.remove(batch.key(index), version: batch.version(index)) == .ok { gone += 1 }
            return !thread.isStopping
        }
        found.subtract(min(gone, hours.count), ordering: .relaxed)
        removed.add(gone, ordering: .relaxed)
        log.event("users", "\(gone) removed, the least recently seen: there were more than \(most)", .warning)
    }
}

/// The time between two sweeps, in microseconds.
private var everyHour: UInt64 { 3_600_000_000 }
/// The time between two sweeps while there may be too many users, in microseconds.
private var atLeast: UInt64 { 5_000_000 }

internal import SKANCore
internal import SKANStorePool
internal import SKANSystem
internal import Synchronization

/// Whether a store can be read, which a thread of its own tries now and then, and whether its last write failed. Who
/// asks never waits for the store. Any thread.
package final class StoreHealth: @unchecked Sendable {
    /// "counts", "postbacks".
    package let name: StaticString
    private let records: RecordStore
    /// Milliseconds. 0: the last write did not fail.
    private let failed = Atomic<Int64>(0)
    /// The time at which a read began that has not ended; 0: none.
    private let reading = Atomic<Int64>(0)
    /// It was opened a moment ago.
    private let canBeRead = Atomic<Bool>(true)
    private var watch: RepeatingThread?

    /// Milliseconds.
    private static var pause: Int64 { 250 }
    private static var longestRead: Int64 { 2000 }
    /// The time for which a failed write counts, in milliseconds. A server that gets no requests would never write
    /// again.
    private static var memory: Int64 { 30_000 }

    init(_ name: StaticString, _ records: RecordStore) {
        self.name = name
        self.records = records
    }

    /// False: no thread can be started.
    func start() -> Bool {
        let watch = RepeatingThread(everyMilliseconds: StoreHealth.pause) { [unowned(unsafe) self] in self.read() }
        self.watch = watch
        return watch.start()
    }

    func stop() {
        watch?.stop()
        watch = nil
    }

    /// How a write ended.
    func wrote(_ isFine: Bool) {
        if isFine && failed.load(ordering: .relaxed) == 0 { return }
        failed.store(isFine ? 0 : millisecondsNow(), ordering: .relaxed)
    }

    /// nil: it is fine.
    var problem: StaticString? {
        let now = millisecondsNow()
        let (began, failed) = (reading.load(ordering: .relaxed), failed.load(ordering: .relaxed))
        if !canBeRead.load(ordering: .relaxed) || (began != 0 && now - began > StoreHealth.longestRead) {
            return "cannot be read"
        }
        return failed != 0 && now - failed < StoreHealth.memory ? "the last write failed" : nil
    }

    private func read() {
        reading.store(millisecondsNow(), ordering: .relaxed)
        canBeRead.store(records.canBeRead, ordering: .relaxed)
        reading.store(0, ordering: .relaxed)
    }
}

extension RecordStore {
    /// A key that nothing stands under is read as well.
    fileprivate var canBeRead: Bool {
        let key: StaticString = "healthz"
        do throws(Failure) {
            _ = try load(key.bytes) { _, _ in true }
            return true
        } catch {
            return error.status == .notFound
        }
    }
}

extension Failure {
    /// Whether the store is what failed, or perhaps did.
    var isOfStore: Bool { status == .store || status == .storeUnknown }
}

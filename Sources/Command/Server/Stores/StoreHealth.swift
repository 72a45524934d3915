import SKANCore
import SKANStorePool
import SKANSystem
import Synchronization

/// Whether a store can be read, and whether its last write failed. A thread of its own tries a read regularly, so that
/// callers never wait for the store. Thread-safe.
package final class StoreHealth: @unchecked Sendable {
    /// The store's name in metrics and answers: "counts" or "postbacks".
    package let name: StaticString
    /// The durations of calls, without the reads that only test the store.
    let times = StoreTimes()
    private let records: RecordStore
    /// The time at which the last write failed, on the clock of `millisecondsNow`; 0 if it did not fail.
    private let failed = Atomic<Int64>(0)
    /// The time at which a read in progress began, on the clock of `millisecondsNow`; 0 if there is none.
    private let reading = Atomic<Int64>(0)
    /// Whether the last read worked. True at first, because the store was just opened.
    private let canBeRead = Atomic<Bool>(true)
    private var watch: RepeatingThread?

    /// The pause between reads in milliseconds.
    private static var pause: Int64 { 250 }
    private static var longestRead: Int64 { 2000 }
    /// How long a failed write counts as a problem, in milliseconds. The time is limited because a server that is not
    /// ready may get no requests, and so would never write again.
    private static var memory: Int64 { 30_000 }

    init(_ name: StaticString, _ records: RecordStore) {
        self.name = name
        self.records = records
    }

    /// Returns false if no thread can be started.
    func start() -> Bool {
        let watch = RepeatingThread(everyMilliseconds: StoreHealth.pause) { [unowned(unsafe) self] in self.read() }
        self.watch = watch
        return watch.start()
    }

    func stop() {
        watch?.stop()
        watch = nil
    }

    /// Notes whether a write succeeded.
    func wrote(_ isFine: Bool) {
        if isFine && failed.load(ordering: .relaxed) == 0 { return }
        failed.store(isFine ? 0 : millisecondsNow(), ordering: .relaxed)
    }

    /// nil if the store is fine.
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
    /// Tries to load a record, which need not exist.
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
    /// Whether the store failed, or may have failed.
    var isOfStore: Bool { status == .store || status == .storeUnknown }
}

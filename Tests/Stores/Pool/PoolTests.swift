import Dispatch
import Foundation
import SKANCore
import SKANPostgresRecords
import SKANRedisRecords
import SKANSQLiteRecords
import SKANStorePool
import SKANSystem
import Synchronization
import Testing

/// Connections are lent to one caller each, up to a limit; what is broken or stale is not lent again.
@Suite(.timeLimit(.minutes(5)))
struct PoolTests {
    private func load(_ store: RecordStore) throws(Failure) -> Bool {
        try withKey { key throws(Failure) in try store.load(key) { _, _ in true } }
    }

    private func save(_ store: RecordStore) throws(Failure) -> UInt64? {
        try withKey { key throws(Failure) in try store.save(key, key, expected: 0) }
    }

    /// Changes the store in each way that there is.
    private func change(_ store: RecordStore) throws(Failure) {
        _ = try save(store)
        _ = try withKey { key throws(Failure) in try store.remove(key, expected: 1) }
        try withKey { key throws(Failure) in
            var items = [SaveItem(key: key, record: key, expected: 0)]
            try items.withUnsafeMutableBufferPointer { items throws(Failure) in try store.saveMany(items) }
        }
    }

    private func withKey<Result>(_ body: (Bytes) throws(Failure) -> Result) throws(Failure) -> Result {
        let key: StaticString = "key"
        return try body(Bytes(start: key.utf8Start, count: key.utf8CodeUnitCount))
    }

    /// Runs `calls` at once on threads of their own; answers how many failed.
    private func failures(of calls: Int, _ call: @escaping @Sendable () throws -> Void) -> Int {
        let failed = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: calls) { _ in
            do { try call() } catch { failed.add(1, ordering: .relaxed) }
        }
        return failed.load(ordering: .relaxed)
    }

    private func count(_ counter: borrowing Atomic<Int>) -> Int { counter.load(ordering: .sequentiallyConsistent) }

    @Test(arguments: [StoreDescription.sqlite, .postgres, .redis])
    func everyStoreOfOursListsItsKeys(_ store: StoreDescription) {
        #expect(store.canList)
    }

    @Test
    func oneConnectionServesOneCallAfterTheOther() throws {
        let hand = HandMadeStore()
        let store = try hand.pooled()
        for _ in 0..<5 { #expect(try !load(store)) }
        #expect(count(hand.opened) == 1)
        #expect(count(hand.ended) == 0)
    }

    @Test
    func aBrokenConnectionIsEndedAndReplaced() throws {
        let hand = HandMadeStore()
        let store = try hand.pooled()
        hand.areBroken.store(true, ordering: .sequentiallyConsistent)
        _ = try load(store)
        #expect(count(hand.ended) == 1)
        hand.areBroken.store(false, ordering: .sequentiallyConsistent)
        _ = try load(store)
        #expect(count(hand.opened) == 2)
        #expect(count(hand.ended) == 1)
    }

    @Test
    func aStaleConnectionIsReplacedBeforeTheCall() throws {
        let hand = HandMadeStore()
        let store = try hand.pooled()
        hand.areStale.store(true, ordering: .sequentiallyConsistent)
        _ = try load(store)
        #expect(count(hand.opened) == 2)
        #expect(count(hand.ended) == 1)
    }

    /// The place of a connection that could not be opened is free again.
    @Test
    func aCallThatGetsNoConnectionTakesNoPlace() throws {
        let hand = HandMadeStore()
        let store = try hand.pooled(limit: 1, timeout: 50)
        hand.areBroken.store(true, ordering: .sequentiallyConsistent)
        _ = try load(store)
        hand.refuses.store(true, ordering: .sequentiallyConsistent)
        for _ in 0..<3 {
            let failure = #expect(throws: Failure.self) { try load(store) }
            #expect(failure?.words == "no connection")
        }
        hand.refuses.store(false, ordering: .sequentiallyConsistent)
        #expect(try !load(store))
    }

    @Test
    func noMoreAreOpenedThanTheLimit() throws {
        let running = Atomic(0)
        let most = Atomic(0)
        let hand = HandMadeStore {
            let now = running.add(1, ordering: .sequentiallyConsistent).newValue
            most.max(now, ordering: .sequentiallyConsistent)
            usleep(1000)
            running.subtract(1, ordering: .sequentiallyConsistent)
        }
        let store = try hand.pooled(limit: 2)
        #expect(failures(of: 40) { _ = try load(store) } == 0)
        #expect(count(hand.calls) == 40)
        #expect(count(most) <= 2)
        #expect(count(hand.opened) <= 2)
    }

    /// One call holds the only connection until the other's time is over.
    @Test
    func aCallThatWaitsTooLongSaysSo() throws {
        let gate = DispatchSemaphore(value: 0)
        let hand = HandMadeStore { gate.wait() }
        let store = try hand.pooled(limit: 1, timeout: 50)
        let end = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            _ = try? load(store)
            end.signal()
        }
        while count(hand.calls) == 0 { usleep(100) }
        let failure = #expect(throws: Failure.self) { try load(store) }
        #expect(failure?.status == .store)
        #expect(failure?.words == "hand: other threads of this process kept it busy for 50 ms")
        gate.signal()
        end.wait()
    }

    /// It was the writer while it waited for a connection, and is so no longer.
    @Test
    func aWriterThatWaitsTooLongLetsOthersWrite() throws {
        let gate = DispatchSemaphore(value: 0)
        let hand = HandMadeStore { gate.wait() }
        let store = try hand.pooled(limit: 1, timeout: 50, hasOneWriter: true)
        let end = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            _ = try? load(store)
            end.signal()
        }
        while count(hand.calls) == 0 { usleep(100) }
        #expect(throws: Failure.self) { try save(store) }
        gate.signal()
        end.wait()
        gate.signal()
        #expect(try save(store) == nil)
    }

    /// Forks are told of a pool for as long as it is open.
    @Test
    func aPoolWhoseOpeningFailsIsForgotten() {
        weak var left: HandMadeStore?
        do {
            let hand = HandMadeStore()
            hand.refuses.store(true, ordering: .sequentiallyConsistent)
            #expect(throws: Failure.self) { try hand.pooled() }
            left = hand
        }
        #expect(left == nil)
    }

    /// Where there is one writer, those that write wait for each other, and no one else does.
    @Test
    func oneWritesWhileOthersRead() throws {
        let writing = Atomic(0)
        let most = Atomic(0)
        let hand = HandMadeStore {
            most.max(
                writing.add(1, ordering: .sequentiallyConsistent).newValue, ordering: .sequentiallyConsistent)
            usleep(500)
            writing.subtract(1, ordering: .sequentiallyConsistent)
        }
        let store = try hand.pooled(limit: 8, hasOneWriter: true)
        #expect(failures(of: 40) { try change(store) } == 0)
        #expect(count(hand.calls) == 120)
        #expect(count(most) == 1)

        let gate = DispatchSemaphore(value: 0)
        let slow = HandMadeStore { gate.wait() }
        let second = try slow.pooled(limit: 2, timeout: 50, hasOneWriter: true)
        let end = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            _ = try? save(second)
            end.signal()
        }
        while count(slow.calls) == 0 { usleep(100) }
        #expect(throws: Failure.self) { try save(second) }
        gate.signal()
        gate.signal()
        #expect(try !load(second))
        end.wait()
    }
}

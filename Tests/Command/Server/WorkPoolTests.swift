import SKANSystem
import Synchronization
import Testing

@testable import SKANCommandServer

@Suite struct WorkPoolTests {
    private final class Counted: Work {
        let done = Atomic<Int>(0)
        let givenUp = Atomic<Int>(0)
        let mayEnd: Lock

        init(_ mayEnd: Lock) { self.mayEnd = mayEnd }

        func perform() { mayEnd.hold { _ = done.add(1, ordering: .relaxed) } }

        func giveUp() { givenUp.add(1, ordering: .relaxed) }
    }

    @Test func whatHasNoRoomWaitsNowhere() throws {
        let lock = Lock()
        let pool = WorkPool("test", threads: 2, queue: 3)
        #expect(pool.start())
        let work = Counted(lock)
        lock.take()
        for _ in 0..<2 { pool.add(work) }
        while pool.load.busy < 2 {}
        for _ in 0..<3 {
            #expect(pool.hasRoom)
            pool.add(work)
        }
        #expect(!pool.hasRoom)
        #expect(pool.load == (3, 2))
        pool.giveUp()
        pool.add(work)
        lock.give()
        while pool.load.busy > 0 {}
        pool.stop()
        #expect(work.done.load(ordering: .relaxed) == 2)
        #expect(work.givenUp.load(ordering: .relaxed) == 4)
    }

    @Test func allThatIsTakenIsDone() {
        let pool = WorkPool("test", threads: 4, queue: 1000)
        #expect(pool.start())
        let work = Counted(Lock())
        for _ in 0..<1000 { pool.add(work) }
        pool.stop()
        #expect(work.done.load(ordering: .relaxed) == 1000)
    }
}

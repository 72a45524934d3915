import Testing

@testable import SKANStorePool

/// A place goes to the caller that has waited the longest.
struct TurnsTests {
    /// Callers of a pool, each with a number, at a time that the test sets.
    private final class Callers {
        var turns: Turns
        var now: Int64 = 0
        private var waiters: [UnsafeMutablePointer<Waiter>] = []

        init(limit: UInt32) { turns = Turns(limit: limit) }

        deinit { for waiter in waiters { waiter.deallocate() } }

        func take(writes: Bool = false) -> Bool { turns.take(writes: writes, at: { now }) }

        /// Answers the caller's number.
        func wait(writes: Bool = false) -> Int {
            let waiter = UnsafeMutablePointer<Waiter>.allocate(capacity: 1)
            waiter.initialize(to: turns.newWaiter(writes: writes, at: now))
            turns.join(waiter)
            waiters.append(waiter)
            return waiters.count - 1
        }

        func leave(_ number: Int) { turns.leave(waiters[number]) }

        func claim(_ number: Int) -> Bool { turns.claim(waiters[number]) }

        /// The numbers of those that are woken, and of those that have their place.
        func woken() -> (all: [Int], served: [Int]) {
            var all: [Int] = []
            while let next = turns.next(at: { now }) {
                all.append(contentsOf: waiters.indices.filter { waiters[$0] == next })
            }
            return (all, all.filter { waiters[$0].pointee.hasPlace })
        }

        func giveBack(writes: Bool = false) -> (all: [Int], served: [Int]) {
            turns.giveBack(writes: writes)
            return woken()
        }
    }

    @Test func aFreePlaceIsTakenAtOnce() {
        let callers = Callers(limit: 2)
        #expect(callers.take() && callers.take() && !callers.take())
        #expect(callers.turns.lent == 2)
        #expect(callers.giveBack() == ([], []))
        #expect(callers.take())
    }

    @Test func thoseThatWaitAreServedInTheOrderInWhichTheyCame() {
        let callers = Callers(limit: 1)
        #expect(callers.take())
        for _ in 0..<3 { _ = callers.wait() }
        callers.now = 100
        for number in 0..<3 {
            #expect(callers.giveBack() == ([number], [number]))
            #expect(!callers.take())
        }
        #expect(callers.giveBack() == ([], []))
    }

    @Test func aCallerIsOvertakenForFourMillisecondsAtMost() {
        let callers = Callers(limit: 1)
        #expect(callers.take())
        let first = callers.wait()
        callers.now = 3
        #expect(callers.giveBack() == ([first], []))
        #expect(callers.take())
        #expect(!callers.claim(first))
        callers.now = 4
        #expect(callers.giveBack() == ([first], [first]))
        #expect(!callers.take())
    }

    @Test func oneThatWasWokenIsNotOvertakenOnceItIsOverdue() {
        let callers = Callers(limit: 1)
        #expect(callers.take())
        let first = callers.wait()
        #expect(callers.giveBack() == ([first], []))
        callers.now = 4
        #expect(!callers.take())
        let second = callers.wait()
        #expect(!callers.claim(second))
        #expect(callers.claim(first))
        #expect(callers.giveBack() == ([second], []))
    }

    @Test func oneThatGivesUpLeavesItsTurnToTheNext() {
        let callers = Callers(limit: 1)
        #expect(callers.take())
        let first = callers.wait()
        let second = callers.wait()
        let third = callers.wait()
        callers.leave(second)
        #expect(callers.giveBack() == ([first], []))
        callers.leave(first)
        #expect(callers.woken() == ([third], []))
        #expect(callers.claim(third))
    }

    @Test func readersGoPastAWriterThatCannotWriteYet() {
        let callers = Callers(limit: 2)
        #expect(callers.take(writes: true) && !callers.take(writes: true))
        let writer = callers.wait(writes: true)
        callers.now = 100
        #expect(callers.take())
        let reader = callers.wait()
        callers.now = 200
        #expect(callers.giveBack() == ([reader], [reader]))
        #expect(callers.giveBack(writes: true) == ([writer], [writer]))
    }

    @Test func aWriterThatCameFirstIsServedBeforeReaders() {
        let callers = Callers(limit: 1)
        #expect(callers.take())
        let writer = callers.wait(writes: true)
        let reader = callers.wait()
        callers.now = 100
        #expect(callers.giveBack() == ([writer], [writer]))
        #expect(callers.giveBack(writes: true) == ([reader], [reader]))
    }

    @Test func nobodyIsServedDuringAFork() {
        let callers = Callers(limit: 1)
        #expect(callers.take())
        let first = callers.wait()
        callers.now = 100
        callers.turns.isForking = true
        #expect(callers.giveBack() == ([], []))
        #expect(!callers.take())
        callers.turns.isForking = false
        #expect(callers.woken() == ([first], [first]))
    }

    @Test func aPlaceThatIsHeldIsNotLent() {
        let callers = Callers(limit: 2)
        #expect(callers.take())
        callers.turns.held = 1
        #expect(!callers.take())
        let first = callers.wait()
        callers.now = 100
        #expect(callers.woken() == ([], []))
        callers.turns.held = 0
        #expect(callers.woken() == ([first], [first]))
        callers.turns.held = 1
        callers.turns.forgetParent()
        #expect(callers.turns.held == 0)
    }
}

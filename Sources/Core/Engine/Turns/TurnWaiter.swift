/// A turn that a call has, or none.
package struct InstallTurn {
    let install: UInt64
    /// 0 if the call goes on without a turn.
    let number: UInt32

    package var isNone: Bool { number == 0 }
}

/// A call that waits for its turn. `wake` is called, with no lock held, once the wait is over, unless the waiter ended
/// it itself. A waiting thread is also woken when it may try to take the turn.
package final class TurnWaiter: @unchecked Sendable {
    /// Set before the waiter joins a line.
    package var wake: () -> Void = {}
    let install: UInt64
    /// The time when the call goes on without a turn, by `support_ticks`.
    let deadline: Int64
    /// The number of the thread that waits; 0 if none does.
    let thread: UInt
    /// The next waiter in line.
    var behind: TurnWaiter?
    /// Whether it was put in line.
    var isInLine = false
    /// Whether another call took the turn that it was woken for. It then checks regularly by itself.
    var wasOvertaken = false
    private(set) var isWaiting = true
    private var number: UInt32 = 0

    /// `install` is the hash of the install's key.
    package init(_ install: UInt64, until deadline: Int64, thread: UInt = 0) {
        self.install = install
        self.deadline = deadline
        self.thread = thread
    }

    /// Ends the wait. `number` is that of the waiter's turn; 0 means that it goes on without one.
    func end(_ number: UInt32) {
        isWaiting = false
        self.number = number
    }

    /// Valid once the wait is over.
    package var turn: InstallTurn { InstallTurn(install: install, number: number) }
}

/// The turn of a call on an install. A call can also go on without a turn.
package struct InstallTurn {
    let install: UInt64
    /// The number of the turn; 0 if the call goes on without a turn.
    let number: UInt32

    package var isNone: Bool { number == 0 }
}

/// A call that waits for its turn. Once the wait is over, `wake` is called with no lock held, unless the waiting call
/// itself ended the wait. `wake` is also called to let a waiting thread try to take the turn.
package final class TurnWaiter: @unchecked Sendable {
    /// Must be set before the waiter joins a line.
    package var wake: () -> Void = {}
    let install: UInt64
    /// The time from which the call goes on without a turn, by `support_ticks`.
    let deadline: Int64
    /// The number of the waiting thread; 0 if a task waits.
    let thread: UInt
    /// The next waiter in line.
    var behind: TurnWaiter?
    var isInLine = false
    /// Whether other calls may overtake the waiter, which then checks for the turn regularly by itself.
    var wasOvertaken = false
    private(set) var isWaiting = true
    private var number: UInt32 = 0

    /// Creates a waiter that is not in line yet. `install` is the hash of the install's key.
    package init(_ install: UInt64, until deadline: Int64, thread: UInt = 0) {
        self.install = install
        self.deadline = deadline
        self.thread = thread
    }

    /// Ends the wait. `number` is the number of the waiter's turn; 0 means that the call goes on without a turn.
    func end(_ number: UInt32) {
        isWaiting = false
        self.number = number
    }

    /// Valid once the wait is over.
    package var turn: InstallTurn { InstallTurn(install: install, number: number) }
}

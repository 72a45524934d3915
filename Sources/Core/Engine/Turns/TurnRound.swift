/// The installs of a batch that a call works on together, while it has the turn of each of them.
///
/// A call waits only for the first install's turn, while it has no other turn, so that calls cannot wait for each other
/// in a circle. It then takes all other turns that are free, and leaves the remaining installs to a later round.
package struct TurnRound {
    package private(set) var installs: [Int]
    package private(set) var left: [Int] = []
    private var turns: [InstallTurn]

    /// Begins a round: takes the turns that are free. `first` is the turn of the first install, which the caller has
    /// already taken.
    package init(_ installs: [Int], of batch: RevenueBatch, first: InstallTurn, _ turns: InstallTurns) {
        self.installs = [installs[0]]
        self.turns = [first]
        for install in installs.dropFirst() {
            if let turn = turns.takeIfFree(turns.install(batch.key(install))) {
                self.installs.append(install)
                self.turns.append(turn)
            } else {
                left.append(install)
            }
        }
    }

    /// Ends the turns, the first install's last. Another batch of the same installs waits for that turn, and once it
    /// has it, all other turns are free.
    package func end(_ turns: InstallTurns) {
        for turn in self.turns.reversed() { turns.end(turn) }
    }
}

/// Installs of a batch that a call works on together, while it has the turn of each.
///
/// A call waits only for the first install's turn, when it has no other, so that calls never wait for each other in a
/// circle. It then takes the turns of all other installs that are free, and leaves the rest to a later round.
package struct TurnRound {
    package private(set) var installs: [Int]
    package private(set) var left: [Int] = []
    private var turns: [InstallTurn]

    /// `first` is the turn of the first install.
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

    /// Ends the turns, the first one last: a batch of the same installs that waits for it then finds the others free.
    package func end(_ turns: InstallTurns) {
        for turn in self.turns.reversed() { turns.end(turn) }
    }
}

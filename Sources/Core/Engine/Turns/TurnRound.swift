/// Installs of a batch that a call works on together, each in its turn.
///
/// A call waits for a turn only while it has none, so that no install waits for another one. It waits for the first
/// install, and takes the turns of others that are free at that moment; the rest is for another round.
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

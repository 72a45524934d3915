/// The installs of one age range that have the same state in windows 1 and 2. Installs that brought nothing are only
/// counted.
struct StateRange {
    /// A code of `LaterState`.
    let code: Int
    /// The week of age of the range that the installs belong to.
    let week: Int
    let count: Int
    /// The indices in `OwnPopulation.revenues` of the installs that brought anything.
    let payers: Range<Int>
    private var drawn = 0
    private var drawnPayers = 0

    init(code: Int, week: Int, count: Int, payers: Range<Int>) {
        (self.code, self.week, self.count, self.payers) = (code, week, count, payers)
    }

    var left: Int { count - drawn }
    var payersLeft: Int { payers.count - drawnPayers }
    /// The index of the first payer that has not been drawn yet.
    var firstPayer: Int { payers.lowerBound + drawnPayers }

    mutating func beginDraw() { (drawn, drawnPayers) = (0, 0) }

    mutating func take(isPayer: Bool) {
        drawn += 1
        if isPayer { drawnPayers += 1 }
    }
}

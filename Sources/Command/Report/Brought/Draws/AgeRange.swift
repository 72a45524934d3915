/// Own installs of neighbouring weeks of age, all of which are old enough for the same horizons.
struct AgeRange {
    let states: Range<Int>
    /// The week of age in their mean.
    let week: Int
    let count: Int
    private var drawn = 0
    /// The weight of those that are left, and the weighing that it belongs to.
    private(set) var weight = 0.0
    private var weighing = 0

    init(states: Range<Int>, week: Int, count: Int) {
        (self.states, self.week, self.count) = (states, week, count)
    }

    var left: Int { count - drawn }

    mutating func beginDraw() { drawn = 0 }

    mutating func take(weighing less: Double) {
        drawn += 1
        weight -= less
    }

    func isWeighed(_ weighing: Int) -> Bool { self.weighing == weighing }

    mutating func take(weight: Double, of weighing: Int) { (self.weight, self.weighing) = (weight, weighing) }

    /// Whether installs that are a week older are old enough for another horizon.
    static func endsStage(_ week: Int) -> Bool { Horizon.dated.contains { $0.weeks == week + 1 } }
}

/// Installs of one age range that have the same state in windows 1 and 2.
struct StateRange {
    let code: Int
    let week: Int
    let count: Int
    /// The places of those that brought anything.
    let payers: Range<Int>
    private var drawn = 0
    private var drawnPayers = 0

    init(code: Int, week: Int, count: Int, payers: Range<Int>) {
        (self.code, self.week, self.count, self.payers) = (code, week, count, payers)
    }

    var left: Int { count - drawn }
    var payersLeft: Int { payers.count - drawnPayers }
    /// The first payer that was not drawn.
    var firstPayer: Int { payers.lowerBound + drawnPayers }

    mutating func beginDraw() { (drawn, drawnPayers) = (0, 0) }

    mutating func take(isPayer: Bool) {
        drawn += 1
        if isPayer { drawnPayers += 1 }
    }
}

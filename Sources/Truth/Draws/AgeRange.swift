/// Own installs of neighbouring weeks of age, all of which are old enough for the same horizons.
struct AgeRange {
    /// The places of its `StateRange`s.
    let states: Range<Int>
    /// The week of age in their mean.
    let week: Int
    let count: Int
    private var drawn = 0
    /// What those that are left weigh, and the version of the weights by which they do.
    private(set) var weight = 0.0
    private(set) var version = 0

    init(states: Range<Int>, week: Int, count: Int) {
        (self.states, self.week, self.count) = (states, week, count)
    }

    var left: Int { count - drawn }

    mutating func beginDraw() { drawn = 0 }

    /// Takes one that weighs so much.
    mutating func take(_ weight: Double) {
        drawn += 1
        self.weight -= weight
    }

    mutating func weigh(_ weight: Double, version: Int) { (self.weight, self.version) = (weight, version) }

    /// Whether installs that are a week older are old enough for another horizon.
    static func endsStage(_ week: Int) -> Bool { Horizon.dated.contains { $0.weeks == week + 1 } }
}

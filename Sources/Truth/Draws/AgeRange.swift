/// The app's own installs of neighbouring weeks of age, all old enough for the same horizons.
struct AgeRange {
    /// The indices of the range's `StateRange`s.
    let states: Range<Int>
    /// The mean week of age of the installs.
    let week: Int
    let count: Int
    private var drawn = 0
    /// The total weight of the installs that are not drawn yet.
    private(set) var weight = 0.0
    /// The version of the weights that `weight` was computed with.
    private(set) var version = 0

    init(states: Range<Int>, week: Int, count: Int) {
        (self.states, self.week, self.count) = (states, week, count)
    }

    var left: Int { count - drawn }

    mutating func beginDraw() { drawn = 0 }

    /// Removes one install with this weight.
    mutating func take(_ weight: Double) {
        drawn += 1
        self.weight -= weight
    }

    mutating func weigh(_ weight: Double, version: Int) { (self.weight, self.version) = (weight, version) }

    /// Whether this week of age is the last before installs are old enough for another horizon.
    static func endsStage(_ week: Int) -> Bool { Horizon.dated.contains { $0.weeks == week + 1 } }
}

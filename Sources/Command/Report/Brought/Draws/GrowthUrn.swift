/// What installs bring from one horizon to the next, drawn from what older ones of the same group brought then.
///
/// These older ones are a sample: others might have come. Pólya's urn says so (Rubin, "The Bayesian bootstrap", 1981):
/// each draw is one of the sample or, the likelier the more were drawn, one that was drawn before.
struct GrowthUrn {
    /// Growths of the installs that brought anything.
    let growths: [Growth]
    /// The size of the sample.
    let count: Int
    private var drawn: [Growth] = []

    init(_ growths: [Growth], count: Int) {
        self.growths = growths
        self.count = count
    }

    var sum: Double { growths.reduce(0) { $0 + $1.amount } }

    mutating func beginDraw() { drawn.removeAll(keepingCapacity: true) }

    mutating func draw(_ numbers: inout DrawnNumbers) -> Growth {
        let place = numbers.index(below: count + drawn.count)
        let growth = place < growths.count ? growths[place] : place < count ? .nothing : drawn[place - count]
        drawn.append(growth)
        return growth
    }

    /// What an install brings in the mean, if none counts more than so much.
    func mean(atMost most: Double) -> Double {
        count > 0 ? growths.reduce(0) { $0 + min($1.amount, most) } / Double(count) : 0
    }

    func appended(to growths: inout [Growth], _ count: inout Int) {
        growths += self.growths
        count += self.count
    }
}

/// What one install brought after a horizon, and its age in weeks when that was seen.
struct Growth {
    let amount: Double
    let week: Int

    static var nothing: Growth { Growth(amount: 0, week: 0) }
}

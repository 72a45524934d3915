/// What installs bring from one horizon to the next, drawn from what older ones of the same group brought then.
///
/// These older ones are a sample: others might have come. Pólya's urn says so (Rubin, "The Bayesian bootstrap", 1981):
/// each draw is one of the sample or, the likelier the more were drawn, one that was drawn before.
struct GrowthUrn {
    /// Growths of the installs that brought anything.
    let growths: [Growth]
    /// The size of the sample.
    let count: Int
    /// How many were drawn, and the places of those that brought anything.
    private var drawn = 0
    private var drawnPlaces: [UInt32] = []

    init(_ growths: [Growth], count: Int) {
        self.growths = growths
        self.count = count
    }

    var sum: Double { growths.reduce(0) { $0 + $1.amount } }

    mutating func beginDraw() {
        drawn = 0
        drawnPlaces.removeAll(keepingCapacity: true)
    }

    mutating func draw(_ numbers: inout DrawnNumbers) -> Growth {
        let number = numbers.index(below: count + drawn)
        drawn += 1
        guard number < growths.count + drawnPlaces.count else { return .nothing }
        let place = number < growths.count ? number : Int(drawnPlaces[number - growths.count])
        drawnPlaces.append(UInt32(clamping: place))
        return growths[place]
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

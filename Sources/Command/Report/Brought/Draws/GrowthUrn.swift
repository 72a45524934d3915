/// What installs bring from one horizon to the next, drawn from what older ones of the same group brought then.
///
/// These older ones are a sample: others might have come. Pólya's urn says so (Rubin, "The Bayesian bootstrap", 1981):
/// each draw is one of the sample or, the likelier the more were drawn, one that was drawn before.
struct GrowthUrn {
    /// Growths of the installs that brought anything.
    let growths: [Double]
    /// The size of the sample.
    let count: Int
    private var drawn: [Double] = []

    init(_ growths: [Double], count: Int) {
        self.growths = growths
        self.count = count
    }

    var sum: Double { growths.reduce(0, +) }

    mutating func beginDraw() { drawn.removeAll(keepingCapacity: true) }

    mutating func draw(_ numbers: inout DrawnNumbers) -> Double {
        let place = numbers.index(below: count + drawn.count)
        let growth = place < growths.count ? growths[place] : place < count ? 0 : drawn[place - count]
        drawn.append(growth)
        return growth
    }

    /// What an install brings in the mean, if none counts more than so much.
    func mean(atMost most: Double) -> Double {
        count > 0 ? growths.reduce(0) { $0 + min($1, most) } / Double(count) : 0
    }

    func appended(to growths: inout [Double], _ count: inout Int) {
        growths += self.growths
        count += self.count
    }
}

import Testing

@testable import SKANTruth

private func moments(_ count: Int, _ draw: (inout DrawnNumbers) -> Double) -> (mean: Double, variance: Double) {
    var numbers = DrawnNumbers(seed: 7)
    let drawn = (0..<count).map { _ in draw(&numbers) }
    let mean = drawn.reduce(0, +) / Double(count)
    return (mean, drawn.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count))
}

@Test func drawnNumbersAreTheSameEachTime() {
    var (one, other, third) = (DrawnNumbers(seed: 1), DrawnNumbers(seed: 1), DrawnNumbers(seed: 2))
    let drawn = (0..<10).map { _ in one.part() }
    #expect(drawn == (0..<10).map { _ in other.part() } && drawn != (0..<10).map { _ in third.part() })
    #expect(Set(drawn).count == 10)
}

@Test func eachIndexIsAsLikelyAsTheOthers() {
    var numbers = DrawnNumbers(seed: 1)
    var counts = [Int](repeating: 0, count: 7)
    for _ in 0..<70_000 { counts[numbers.index(below: 7)] += 1 }
    #expect(counts.allSatisfy { (9_600...10_400).contains($0) })
    #expect(numbers.index(below: 1) == 0)
}

@Test func partsAreSpreadEvenly() {
    let part = moments(50_000) { $0.part() }
    #expect((part.mean - 0.5).magnitude < 0.005 && (part.variance - 1.0 / 12).magnitude < 0.002)
}

@Test func normalNumbersHaveTheirMoments() {
    let normal = moments(50_000) { $0.normal() }
    #expect(normal.mean.magnitude < 0.02 && (normal.variance - 1).magnitude < 0.03)
}

@Test(arguments: [0.05, 0.5, 1, 3, 200]) func gammaNumbersHaveTheirMoments(_ shape: Double) {
    let gamma = moments(100_000) { $0.gamma(shape) }
    #expect((gamma.mean / shape - 1).magnitude < 0.05 && (gamma.variance / shape - 1).magnitude < 0.1)
}

@Test func aGammaNumberWithoutAShapeIsNothing() {
    var numbers = DrawnNumbers(seed: 1)
    #expect(numbers.gamma(0) == 0 && numbers.gamma(-1) == 0)
}

@Test(arguments: [(10, 0.3), (24, 0.9), (500, 0.01), (100_000, 0.4), (7, 0), (300, 1)] as [(Int, Double)])
func drawnCountsHaveTheirMoments(_ count: Int, _ probability: Double) {
    let drawn = moments(20_000) { Double($0.binomial(count, probability)) }
    let (mean, variance) = (Double(count) * probability, Double(count) * probability * (1 - probability))
    #expect((drawn.mean - mean).magnitude <= 0.03 * variance.squareRoot() + 1e-9)
    #expect((drawn.variance - variance).magnitude <= 0.06 * variance + 1e-6)
}

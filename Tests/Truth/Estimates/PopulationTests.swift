import Testing

@testable import SKANTruth

/// So many installs of each week of age; the number of each is what it brought.
private func population(_ weeks: [Int], step: Double = 1) -> OwnPopulation {
    var group = InstallGroup()
    var revenue = 0.0
    for (week, count) in weeks.enumerated() {
        for _ in 0..<count {
            group.add(KnownRevenue(toDate: revenue), week: week)
            revenue += step
        }
    }
    return OwnPopulation(group, group.later)
}

@Test func noInstallIsDrawnTwiceInOneDraw() {
    var (all, numbers) = (population([3, 0, 40]), DrawnNumbers(seed: 1))
    for _ in 0..<3 {
        all.beginDraw()
        let drawn = (0..<43).map { _ in all.draw(week: 2, &numbers).revenue[.day2] }
        #expect(drawn.sorted() == (0..<43).map { Double($0) })
    }
}

@Test func eachInstallOfAnAgeIsAsLikelyAsTheOthers() {
    var (all, numbers) = (population([0, 20]), DrawnNumbers(seed: 1))
    var counts = [Int](repeating: 0, count: 20)
    for _ in 0..<20_000 {
        all.beginDraw()
        for _ in 0..<5 { counts[Int(all.draw(week: 1, &numbers).revenue[.day2])] += 1 }
    }
    #expect(counts.allSatisfy { (4_700...5_300).contains($0) })
}

@Test func anInstallOfTheSameAgeIsDrawnAndElseOfTheNearest() {
    var (all, numbers) = (population([20, 20, 0, 0, 20]), DrawnNumbers(seed: 1))
    all.beginDraw()
    for _ in 0..<20 { #expect(all.draw(week: 0, &numbers).revenue[.day2] < 20) }
    for _ in 0..<20 { #expect((20..<40).contains(all.draw(week: 0, &numbers).revenue[.day2])) }
    for _ in 0..<20 { #expect(all.draw(week: 0, &numbers).week == 4) }
    // The store has no more: any of them.
    let beyond = (0..<200).map { _ in all.draw(week: 0, &numbers).revenue[.day2] }
    #expect(beyond.contains { $0 < 20 } && beyond.contains { $0 >= 40 })
}

@Test func weeksWithFewInstallsCountTogetherUnlessTheyAreOfDifferentHorizons() {
    // Weeks 0; 1 to 4; from 5 on.
    var (all, numbers) = (population([1, 5, 5, 5, 4, 3, 3]), DrawnNumbers(seed: 1))
    var seen: Set<Double> = []
    for _ in 0..<400 {
        all.beginDraw()
        #expect(all.draw(week: 0, &numbers).revenue[.day2] == 0)
        seen.insert(all.draw(week: 1, &numbers).revenue[.day2])
        #expect(all.draw(week: 9, &numbers).revenue[.day2] >= 20)
    }
    #expect(seen == Set((1..<20).map { Double($0) }))
}

@Test func whatIsLeftIsToldByAge() {
    var (all, numbers) = (population([2, 30]), DrawnNumbers(seed: 1))
    all.beginDraw()
    for _ in 0..<5 { _ = all.draw(week: 1, &numbers) }
    var left: [[Int]] = []
    all.forEachLeft { left.append([$0, $1]) }
    #expect(left == [[0, 2], [1, 25]])
    #expect(all.sum == InstallRevenue(repeating: 31 * 16))
}

@Test func installsWithoutRevenueAreDrawnAsOftenAsOthers() {
    var group = InstallGroup()
    let codes = [0, 6, 13]
    for place in 0..<20 {
        let revenue = KnownRevenue(toDate: place < 8 ? Double(place + 1) : 0)
        group.add(revenue, week: 9, LaterState(code: codes[place % 3]))
    }
    var (all, numbers) = (OwnPopulation(group, group.later), DrawnNumbers(seed: 1))
    var counts = [Int](repeating: 0, count: 9)
    for _ in 0..<20_000 {
        all.beginDraw()
        for _ in 0..<5 { counts[Int(all.draw(week: 9, &numbers).revenue[.day2])] += 1 }
    }
    // 100 000 draws of 20 installs, 12 of which brought nothing.
    #expect((59_500...60_500).contains(counts[0]))
    #expect(counts.dropFirst().allSatisfy { (4_700...5_300).contains($0) })
    // The store has no more than 20: further ones are any of them.
    all.beginDraw()
    for _ in 0..<20 { _ = all.draw(week: 9, &numbers) }
    let beyond = (0..<20_000).count { _ in all.draw(week: 9, &numbers).revenue == .zero }
    #expect((11_700...12_300).contains(beyond))
}

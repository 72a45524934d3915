import Testing

@testable import SKANPostbackReceiving

private let hour: Int64 = 3_600_000_000

extension RefusedBudget {
    /// Whether one more may be kept.
    fileprivate func takes(_ sort: RefusedSort, _ bytes: UInt64, at now: Int64) -> Bool {
        take(sort, bytes, at: now) != nil
    }
}

private func budget(_ change: (inout RefusedLimits) -> Void) -> RefusedBudget {
    var limits = RefusedLimits()
    change(&limits)
    return RefusedBudget(limits)
}

@Test func eachSortHasABudgetOfItsOwn() {
    let budget = budget { $0.perHour = 1 }
    for sort in RefusedSort.allCases {
        #expect(budget.takes(sort, 10, at: 0))
        #expect(!budget.takes(sort, 10, at: hour - 1))
    }
    for sort in RefusedSort.allCases { #expect(budget.takes(sort, 10, at: hour)) }
}

@Test func oneUnknownNameHasAShareOfTheUnverifiable() throws {
    let budget = budget { $0.perHour = 160 }
    func keeps(_ name: String, at moment: Int64 = 0) -> Bool {
        Array(name.utf8).withUnsafeBytes { budget.take(.unverifiable, 10, at: moment, unknown: $0) != nil }
    }
    #expect((0..<100).count { _ in keeps("9.9") } == 10)
    #expect(keeps("5.0") && keeps("apple-cas-identifier/1"))
    #expect(keeps("9.9", at: hour))
    let share = try #require(budget.take(.unverifiable, 10, at: hour))
    for _ in 0..<9 { _ = budget.take(.unverifiable, 10, at: hour) }
    #expect(budget.take(.unverifiable, 10, at: hour) == nil)
    budget.giveBack(share)
    #expect(budget.take(.unverifiable, 10, at: hour) != nil)
}

/// Frequent senders are strangers that make what they like, from as many addresses as they have.
@Test func frequentSendersFillHalfOfTheUnverifiable() {
    let budget = budget {
        $0.perHour = 1600
        $0.inAll = 2000
    }
    func keeps(_ name: Int, from sender: UnverifiableSender, at moment: Int64 = 0) -> Bool {
        Array("\(name)".utf8).withUnsafeBytes {
            budget.take(.unverifiable, 10, at: moment, from: sender, unknown: $0) != nil
        }
    }
    func kept(_ count: Int, from sender: UnverifiableSender, at moment: Int64 = 0) -> Int {
        (0..<count).count { keeps($0, from: sender, at: moment) }
    }
    #expect(kept(3000, from: .frequent) == 800)
    // A name that frequent senders send as often as they may is still a rare sender's too, up to a quarter.
    #expect((0..<500).count { _ in keeps(7, from: .rare) } == 396)
    #expect(kept(3000, from: .rare) == 404)
    // In all they fill half too.
    #expect(kept(3000, from: .frequent, at: hour) == 0)
    #expect(kept(3000, from: .rare, at: hour) == 400)
    #expect(kept(3000, from: .rare, at: 2 * hour) == 0)
}

@Test func frequentSendersFillHalfOfTheBytesOfTheUnverifiable() {
    let byHour = budget { $0.bytesPerHour = 100 }
    #expect(byHour.take(.unverifiable, 51, at: 0, from: .frequent) == nil)
    #expect(byHour.take(.unverifiable, 50, at: 0, from: .frequent) != nil)
    #expect(byHour.take(.unverifiable, 50, at: 0, from: .rare) != nil)
    let inAll = budget { $0.bytesInAll = 100 }
    #expect(inAll.take(.unverifiable, 51, at: 0, from: .frequent) == nil)
    #expect(inAll.take(.unverifiable, 51, at: 0, from: .rare) != nil)
    // Only of the unverifiable.
    #expect(inAll.take(.other, 100, at: 0, from: .frequent) != nil)
}

@Test func bytesAreLimitedToo() {
    let byHour = budget { $0.bytesPerHour = 100 }
    #expect(!byHour.takes(.other, 101, at: 0))
    #expect(byHour.takes(.other, 60, at: 0))
    #expect(!byHour.takes(.other, 41, at: 0))
    #expect(byHour.takes(.other, 40, at: 0))
    let inAll = budget { $0.bytesInAll = 100 }
    #expect(inAll.takes(.other, 100, at: 0))
    #expect(!inAll.takes(.other, 1, at: 5 * hour))
}

@Test func whatIsGivenBackLeavesRoom() throws {
    let budget = budget { $0.inAll = 1 }
    let share = try #require(budget.take(.invalid, 10, at: 0))
    #expect(!budget.takes(.invalid, 10, at: hour))
    budget.giveBack(share)
    #expect(budget.inAll(.invalid) == RefusedAmount())
    #expect(budget.takes(.invalid, 10, at: hour))
}

@Test func whatIsGivenBackInItsHourLeavesRoomThere() throws {
    let budget = budget { $0.perHour = 1 }
    let share = try #require(budget.take(.invalid, 10, at: 5 * hour))
    #expect(!budget.takes(.invalid, 10, at: 5 * hour))
    budget.giveBack(share)
    #expect(budget.takes(.invalid, 10, at: 5 * hour))
}

@Test func whatIsGivenBackFromAnHourThatIsOverLeavesNoRoomInTheNext() throws {
    let budget = budget { $0.perHour = 1 }
    let share = try #require(budget.take(.invalid, 10, at: hour - 1))
    #expect(budget.takes(.invalid, 10, at: hour))
    budget.giveBack(share)
    #expect(!budget.takes(.invalid, 10, at: hour))
    #expect(budget.inAll(.invalid).count == 1)
}

/// Requests are not answered in the order of their arrival.
@Test func requestsThatCrossTheTurnOfAnHourDoNotRefillTheBudget() throws {
    let budget = budget { $0.perHour = 2 }
    #expect(budget.takes(.invalid, 10, at: hour))
    let late = try #require(budget.take(.invalid, 10, at: hour - 1))
    #expect(!budget.takes(.invalid, 10, at: hour))
    #expect(!budget.takes(.invalid, 10, at: hour - 1))
    // It was counted in the hour that had begun, and is given back there.
    budget.giveBack(late)
    #expect(budget.takes(.invalid, 10, at: hour))
    #expect(!budget.takes(.invalid, 10, at: hour))
}

@Test func aClockThatIsSetBackDoesNotRefillTheBudget() {
    let budget = budget { $0.perHour = 1 }
    #expect(budget.takes(.invalid, 10, at: 9000 * hour))
    for moment in [8999, 8998, 10] as [Int64] { #expect(!budget.takes(.invalid, 10, at: moment * hour)) }
    // It is not refused for as long as the jump was.
    #expect(budget.takes(.invalid, 10, at: 11 * hour))
}

/// A store that has some before, or from which some were removed.
@Test func whatTheStoreHoldsIsCounted() {
    let budget = budget { $0.inAll = 3 }
    #expect(budget.takes(.malformed, 10, at: 0))
    let before = budget.inAll(.malformed)
    #expect(budget.takes(.malformed, 10, at: 0))
    var found = RefusedAmount()
    found.add(7)
    budget.count(found, of: .malformed, before: before)
    #expect(budget.inAll(.malformed).count == 2 && budget.inAll(.malformed).bytes == 17)
    #expect(budget.takes(.malformed, 10, at: 0))
    #expect(!budget.takes(.malformed, 10, at: 0))
    budget.count(RefusedAmount(), of: .malformed, before: budget.inAll(.malformed))
    #expect(budget.takes(.malformed, 10, at: 0))
}

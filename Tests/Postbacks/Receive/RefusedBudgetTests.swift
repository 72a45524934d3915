import Testing

@testable import SKANPostbackReceiving

private let day: Int64 = 86_400_000_000

extension RefusedBudget {
    /// Whether one more may be kept.
    fileprivate func takes(_ sort: RefusedSort, _ bytes: UInt64, at now: Int64 = 0) -> Bool {
        take(sort, bytes, at: now) != nil
    }

    /// Whether an unverifiable one of ten bytes may be kept.
    fileprivate func takes(
        unknown name: String, at moment: Int64 = 0, from sender: UnverifiableSender = .anybody
    ) -> Bool {
        Array(name.utf8).withUnsafeBytes { take(.unverifiable, 10, at: moment, from: sender, unknown: $0) != nil }
    }
}

@Test func eachSortHasABudgetOfItsOwn() {
    let budget = RefusedBudget(bytes: 10)
    for sort in RefusedSort.allCases {
        #expect(budget.takes(sort, 10))
        #expect(!budget.takes(sort, 1))
    }
    // A later day makes no room: that is left to what removes old ones.
    for sort in RefusedSort.allCases { #expect(!budget.takes(sort, 1, at: day)) }
}

@Test func noMoreBytesAreKeptThanTheBudgetHas() {
    let budget = RefusedBudget(bytes: 100)
    #expect(!budget.takes(.other, 101))
    #expect(budget.takes(.other, 60))
    #expect(!budget.takes(.other, 41))
    #expect(budget.takes(.other, 40))
    #expect(!budget.takes(.other, 1))
}

@Test func withoutALimitEverythingIsKept() {
    let budget = RefusedBudget(bytes: .max)
    for _ in 0..<1000 { #expect(budget.takes(.unverifiable, 40_000)) }
}

@Test func oneUnknownNameHasAShareOfTheUnverifiable() throws {
    let budget = RefusedBudget(bytes: 1600)
    #expect((0..<100).count { _ in budget.takes(unknown: "9.9") } == 10)
    #expect(budget.takes(unknown: "5.0") && budget.takes(unknown: "apple-cas-identifier/1"))
    #expect(budget.takes(unknown: "9.9", at: day))
    let share = try #require(budget.take(.unverifiable, 10, at: day))
    for _ in 0..<9 { _ = budget.take(.unverifiable, 10, at: day) }
    #expect(budget.take(.unverifiable, 10, at: day) == nil)
    budget.giveBack(share)
    #expect(budget.take(.unverifiable, 10, at: day) != nil)
}

/// Where the share is less than one postback, each name has the first one kept.
@Test func theFirstOfAnUnknownNameIsKept() {
    let budget = RefusedBudget(bytes: 100)
    #expect(budget.takes(unknown: "5.0") && !budget.takes(unknown: "5.0"))
    #expect(budget.takes(unknown: "6.0"))
}

/// Frequent senders are strangers that make what they like, from as many addresses as they have.
@Test func frequentSendersFillHalfOfTheUnverifiable() {
    let budget = RefusedBudget(bytes: 16_000)
    func kept(_ count: Int, from sender: UnverifiableSender, at moment: Int64 = 0) -> Int {
        (0..<count).count { budget.takes(unknown: "\($0)", at: moment, from: sender) }
    }
    #expect(kept(3000, from: .frequent) == 800)
    // A name that frequent senders send as often as they may is still a rare sender's too, up to a quarter.
    #expect((0..<500).count { _ in budget.takes(unknown: "7", from: .rare) } == 396)
    #expect(kept(3000, from: .rare) == 404)
    #expect(kept(3000, from: .rare, at: day) == 0)
}

@Test func frequentSendersFillHalfOfTheBytesOfTheUnverifiableAlone() {
    let budget = RefusedBudget(bytes: 100)
    #expect(budget.take(.unverifiable, 51, at: 0, from: .frequent) == nil)
    #expect(budget.take(.unverifiable, 51, at: 0, from: .rare) != nil)
    #expect(budget.take(.other, 100, at: 0, from: .frequent) != nil)
}

@Test func whatIsGivenBackLeavesRoom() throws {
    let budget = RefusedBudget(bytes: 10)
    let share = try #require(budget.take(.invalid, 10, at: 0))
    #expect(!budget.takes(.invalid, 10))
    budget.giveBack(share)
    #expect(budget.inAll(.invalid) == RefusedAmount())
    #expect(budget.takes(.invalid, 10))
}

@Test func whatIsGivenBackFromADayThatIsOverLeavesNoRoomInTheShareOfTheNext() throws {
    let budget = RefusedBudget(bytes: 160)
    let share = try #require(budget.take(.unverifiable, 10, at: day - 1))
    #expect(budget.takes(.unverifiable, 10, at: day))
    budget.giveBack(share)
    #expect(!budget.takes(.unverifiable, 10, at: day))
    #expect(budget.inAll(.unverifiable).count == 1)
}

/// Requests are not answered in the order of their arrival.
@Test func requestsThatCrossMidnightDoNotRefillAShare() throws {
    let budget = RefusedBudget(bytes: 320)
    #expect(budget.takes(.unverifiable, 10, at: day))
    let late = try #require(budget.take(.unverifiable, 10, at: day - 1))
    #expect(!budget.takes(.unverifiable, 10, at: day))
    #expect(!budget.takes(.unverifiable, 10, at: day - 1))
    // It was counted on the day that had begun, and is given back there.
    budget.giveBack(late)
    #expect(budget.takes(.unverifiable, 10, at: day))
    #expect(!budget.takes(.unverifiable, 10, at: day))
}

@Test func aClockThatIsSetBackDoesNotRefillAShare() {
    let budget = RefusedBudget(bytes: 160)
    #expect(budget.takes(.unverifiable, 10, at: 9000 * day))
    for moment in [8999, 8998, 10] as [Int64] { #expect(!budget.takes(.unverifiable, 10, at: moment * day)) }
    // It is not refused for as long as the jump was.
    #expect(budget.takes(.unverifiable, 10, at: 11 * day))
}

/// A store that has some before, or from which some were removed.
@Test func whatTheStoreHoldsIsCounted() {
    let budget = RefusedBudget(bytes: 27)
    #expect(budget.takes(.malformed, 10))
    let before = budget.inAll(.malformed)
    #expect(budget.takes(.malformed, 10))
    var found = RefusedAmount()
    found.add(7)
    budget.count(found, of: .malformed, before: before)
    #expect(budget.inAll(.malformed).count == 2 && budget.inAll(.malformed).bytes == 17)
    #expect(budget.takes(.malformed, 10))
    #expect(!budget.takes(.malformed, 10))
    budget.count(RefusedAmount(), of: .malformed, before: budget.inAll(.malformed))
    #expect(budget.takes(.malformed, 10))
}

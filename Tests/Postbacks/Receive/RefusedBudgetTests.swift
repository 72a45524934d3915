import Testing

@testable import SKANPostbackReceiving

private let hour: Int64 = 3_600_000_000

private func budget(_ change: (inout RefusedLimits) -> Void) -> RefusedBudget {
    var limits = RefusedLimits()
    change(&limits)
    return RefusedBudget(limits)
}

@Test func eachSortHasABudgetOfItsOwn() {
    let budget = budget { $0.perHour = 1 }
    for sort in RefusedSort.allCases {
        #expect(budget.take(sort, 10, at: 0))
        #expect(!budget.take(sort, 10, at: hour - 1))
    }
    for sort in RefusedSort.allCases { #expect(budget.take(sort, 10, at: hour)) }
}

@Test func bytesAreLimitedToo() {
    let byHour = budget { $0.bytesPerHour = 100 }
    #expect(!byHour.take(.other, 101, at: 0))
    #expect(byHour.take(.other, 60, at: 0))
    #expect(!byHour.take(.other, 41, at: 0))
    #expect(byHour.take(.other, 40, at: 0))
    let inAll = budget { $0.bytesInAll = 100 }
    #expect(inAll.take(.other, 100, at: 0))
    #expect(!inAll.take(.other, 1, at: 5 * hour))
}

@Test func whatIsGivenBackLeavesRoom() {
    let budget = budget { $0.inAll = 1 }
    #expect(budget.take(.invalid, 10, at: 0))
    #expect(!budget.take(.invalid, 10, at: hour))
    budget.giveBack(.invalid, 10, at: 0)
    #expect(budget.inAll(.invalid) == RefusedAmount())
    #expect(budget.take(.invalid, 10, at: hour))
    // Nothing was taken of these.
    budget.giveBack(.other, 10, at: 0)
    #expect(budget.inAll(.other) == RefusedAmount())
}

/// A store that has some before, or from which some were removed.
@Test func whatTheStoreHoldsIsCounted() {
    let budget = budget { $0.inAll = 3 }
    #expect(budget.take(.malformed, 10, at: 0))
    let before = budget.inAll(.malformed)
    #expect(budget.take(.malformed, 10, at: 0))
    var found = RefusedAmount()
    found.add(7)
    budget.count(found, of: .malformed, before: before)
    #expect(budget.inAll(.malformed).count == 2 && budget.inAll(.malformed).bytes == 17)
    #expect(budget.take(.malformed, 10, at: 0))
    #expect(!budget.take(.malformed, 10, at: 0))
    budget.count(RefusedAmount(), of: .malformed, before: budget.inAll(.malformed))
    #expect(budget.take(.malformed, 10, at: 0))
}

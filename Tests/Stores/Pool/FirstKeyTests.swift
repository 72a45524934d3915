import Testing

@testable import SKANStorePool

/// The ends of a page of a listing, in a store that lists its keys in the order of their bytes.
struct FirstKeyTests {
    private func first(_ prefix: [UInt8], after last: [UInt8]) -> [UInt8] {
        prefix.withUnsafeBytes { prefix in last.withUnsafeBytes { firstKey(beginningWith: prefix, after: $0) } }
    }

    @Test func aListingBeginsWithItsPrefix() {
        #expect(first([7, 8], after: []) == [7, 8])
        #expect(first([], after: []) == [0])
    }

    @Test func aPageBeginsBehindTheLastKeyOfThePageBefore() {
        #expect(first([7, 8], after: [7, 8, 9]) == [7, 8, 9, 0])
        #expect(first([], after: [3]) == [3, 0])
    }

    @Test func aListingEndsBeforeTheKeysBehindItsPrefix() {
        func behind(_ prefix: [UInt8]) -> [UInt8] { prefix.withUnsafeBytes { keyBehind($0) } }
        #expect(behind([7, 8]) == [7, 9])
        #expect(behind([7, 255]) == [8])
        #expect(behind([255]).isEmpty && behind([]).isEmpty)
    }
}

import SKANCore
import Testing

@testable import SKANStoreLaws

/// Keys are taken from pages as they are, and found again.
struct ListingTests {
    private func listing(_ page: [UInt8], of beginning: [UInt8] = []) throws(LawEnd) -> Listing {
        var listing = Listing()
        try listing.add(page, of: beginning)
        listing.sort()
        return listing
    }

    private func reason(_ page: [UInt8]) -> String? {
        do throws(LawEnd) {
            _ = try listing(page)
            return nil
        } catch {
            guard case .broken(let reason) = error else { return nil }
            return String(decoding: reason.utf8, as: UTF8.self)
        }
    }

    @Test
    func keysAreFoundWhateverTheirOrder() throws {
        let keys = ["b", "a", "ab", "b", "\u{E9}", "a", "aa", "~"]
        let listing = try listing(keys.flatMap { Array($0.utf8) + [0] })
        #expect(listing.keys == keys.map { Array($0.utf8) })
        for key in keys { #expect(listing.contains(Key(Array(key.utf8))), "\(key)") }
        for key in ["", "A", "abc", "c", "\u{7F}", "e"] { #expect(!listing.contains(Array(key.utf8)), "\(key)") }
    }

    @Test
    func nothingIsInAnEmptyListing() throws {
        #expect(try !listing([]).contains([1]))
    }

    @Test
    func keysOfOtherBeginningsAreLeftOut() throws {
        let listing = try listing(Array("mine/a\0your/b\0mine\0mine/\0".utf8), of: Array("mine/".utf8))
        #expect(listing.keys == [Array("mine/a".utf8), Array("mine/".utf8)])
    }

    @Test
    func pagesThatAreNoneBreakTheLaw() {
        #expect(reason(Array("a\0b".utf8)) == "list: the last key of a page is not ended by a NUL")
        #expect(reason([0]) == "list: a key of 0 bytes")
        #expect(reason([UInt8](repeating: 1, count: 129) + [0]) == "list: a key of 129 bytes")
        #expect(reason([UInt8](repeating: 1, count: 128) + [0]) == nil)
    }
}

import SKANCore
import Testing

@testable import SKANStoreLaws

/// What laws take from pages are keys; that they find each, whatever its order, is shown by stores.
struct ListingTests {
    private func reason(_ page: [UInt8]) -> String? {
        var listing = Listing()
        do throws(LawEnd) {
            try listing.add(page)
            return nil
        } catch {
            guard case .broken(let reason) = error else { return nil }
            return String(decoding: reason.utf8, as: UTF8.self)
        }
    }

    @Test
    func pagesThatAreNoneBreakTheLaw() {
        #expect(reason([0]) == "list: a key of 0 bytes")
        #expect(reason([UInt8](repeating: 1, count: 129) + [0]) == "list: a key of 129 bytes")
        #expect(reason([UInt8](repeating: 1, count: 128) + [0]) == nil)
    }
}

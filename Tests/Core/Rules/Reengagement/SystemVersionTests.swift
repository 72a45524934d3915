import SKANCore
import Testing

/// Rules, "Re-engage": which texts are a version. Vectors open on a dozen systems. These tests alone judge texts that
/// are nearly a version, and the greatest number that a version may have.
struct SystemVersionTests {
    private func version(_ text: String) -> SystemVersion? { text.withBytes { SystemVersion($0) } }

    @Test func missingNumbersAreZero() {
        #expect(version("18") == version("18.0.0"))
        #expect(version("18.4") == .conversionTags)
        #expect(version("18.4.1").map { $0 > .conversionTags } == true)
        #expect(version("18.10").map { $0 > .conversionTags } == true)
        #expect(version("9999.9999.9999") != nil)
    }

    @Test(arguments: [
        "", ".", "18.", ".4", "18..4", "18.4.1.2", "12345", "18,4", "iOS 18.4", "18.4 ", "-1", "18.00004",
    ])
    func anyOtherTextIsNotKnown(_ text: String) { #expect(version(text) == nil) }
}

import SKANStorePool
import Testing

/// Versions are drawn: never 0, never the one before, and such that databases know them.
struct VersionTests {
    @Test
    func versionsAreWithinTheRangeAndDiffer() throws {
        var seen: Set<UInt64> = []
        for _ in 0..<1000 {
            let version = try drawVersion(otherThan: 0)
            #expect(1...greatestVersion ~= version)
            #expect(seen.insert(version).inserted)
        }
    }
}

/// Stands in for Apple's StoreKit: the calls by their names in Apple's documentation, which print what they were given.
public enum SKAdNetwork {
    public struct CoarseConversionValue: Sendable {
        let name: String

        public static let low = CoarseConversionValue(name: "low")
        public static let medium = CoarseConversionValue(name: "medium")
        public static let high = CoarseConversionValue(name: "high")
    }

    public static func updateConversionValue(_ fine: Int) { print("SKAdNetwork \(fine)") }

    public static func updatePostbackConversionValue(_ fine: Int) async throws { print("SKAdNetwork \(fine)") }

    public static func updatePostbackConversionValue(
        _ fine: Int, coarseValue: CoarseConversionValue, lockWindow: Bool
    ) async throws {
        print("SKAdNetwork \(fine) \(coarseValue.name) lock \(lockWindow)")
    }
}

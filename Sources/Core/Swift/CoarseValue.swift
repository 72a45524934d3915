/// A coarse conversion value: low, medium or high (Apple: `SKAdNetwork.CoarseConversionValue`).
public struct CoarseValue: Hashable, Sendable {
    /// The number of the value: 0 = low, 1 = medium, 2 = high. Endpoints, documents and metadata use these numbers.
    public let rawValue: Int

    private init(number: Int) { rawValue = number }

    public static let low = CoarseValue(number: 0)
    public static let medium = CoarseValue(number: 1)
    public static let high = CoarseValue(number: 2)
}

/// A coarse value is encoded as its number.
extension CoarseValue: RawRepresentable, Codable {
    /// Creates the coarse value with a number; nil unless the number is 0, 1 or 2.
    public init?(rawValue: Int) {
        guard (0...2).contains(rawValue) else { return nil }
        self.init(number: rawValue)
    }
}

extension CoarseValue: Comparable {
    public static func < (left: CoarseValue, right: CoarseValue) -> Bool { left.rawValue < right.rawValue }
}

extension CoarseValue: CustomStringConvertible {
    /// The name of the value, "low", "medium" or "high", as in Apple's postbacks.
    public var description: String {
        switch self {
        case .low: "low"
        case .medium: "medium"
        default: "high"
        }
    }
}

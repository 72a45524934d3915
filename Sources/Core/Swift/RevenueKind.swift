/// The source of revenue. SKAN 3 has no ad revenue.
public enum RevenueKind: Int32, Hashable, Sendable, Codable {
    /// An in-app purchase, or its refund.
    case iap = 0
    /// An ad that the app showed (ad monetization).
    case ad = 1
}

import SKANCore

/// The columns of the schema table of Google's App Reporting Pack. Each row names a fine value, one of its events, how
/// often the event occurred, and the range of its money.
enum ReportingPackColumn: Int, CaseIterable {
    case app, value, count, low, high, mean, event

    var name: StaticString {
        switch self {
        case .app: "app_id"
        case .value: "skan_conversion_value"
        case .count: "skan_event_count"
        case .low: "skan_event_value_low"
        case .high: "skan_event_value_high"
        case .mean: "skan_event_value_mean"
        case .event: "skan_mapped_event"
        }
    }
}

struct ReportingPackRow {
    var app: [UInt8]
    var fine: Int
    var count: Int64
    var low: Money
    /// The upper end of the range of money, which is excluded; 0 if the row asks for no money.
    var high: Money
    /// The event's name in the table, which can differ from libskan's by the event map.
    var event: [UInt8]

    /// The middle of the range of money, which the table gives as the mean.
    var middle: Money { Money(units: (low.units + high.units) / 2) }

    var hasMoney: Bool { low != .zero || high != .zero }
}

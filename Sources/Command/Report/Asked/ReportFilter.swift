/// Selects the postbacks that a report is about.
package struct ReportFilter {
    /// nil selects all networks.
    package var network: [UInt8]?
    /// The App Store id; nil selects all apps.
    package var app: Int64?
    /// The earliest arrival time that is selected, in Unix seconds; nil for no bound.
    package var from: Int64?
    /// The time before which postbacks must have arrived, in Unix seconds; nil for no bound.
    package var to: Int64?

    package init() {}

    var isOfAllTimes: Bool { from == nil && to == nil }
    /// Whether no postback is left out by time or network. Only then do installs without a postback count as organic.
    var isOfAllPostbacks: Bool { isOfAllTimes && network == nil }
}

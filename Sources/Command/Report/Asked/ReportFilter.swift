/// Selects the postbacks that a report is about.
package struct ReportFilter {
    /// The ad network; nil for all.
    package var network: [UInt8]?
    /// The App Store id of the app; nil for all.
    package var app: Int64?
    /// The range of arrival times in Unix seconds, from `from` on and before `to`; nil means no bound.
    package var from: Int64?
    package var to: Int64?

    package init() {}

    /// Whether postbacks of all arrival times are selected.
    var isOfAllTimes: Bool { from == nil && to == nil }
    /// Whether all postbacks of an app are selected, so that the installs that none of them reports are organic.
    var isOfAllPostbacks: Bool { isOfAllTimes && network == nil }
}

/// Selects the postbacks that a report is about.
package struct ReportFilter {
    /// The ad network; nil = all.
    package var network: [UInt8]?
    /// The app of the App Store; nil = all.
    package var app: Int64?
    /// Arrived from this moment on, and before that one, Unix seconds; nil = open.
    package var from: Int64?
    package var to: Int64?

    package init() {}

    /// Whether postbacks of all arrival times are taken.
    var isOfAllTimes: Bool { from == nil && to == nil }
    /// Whether all postbacks of an app are taken, so that its other installs are organic.
    var isOfAllPostbacks: Bool { isOfAllTimes && network == nil }
}

package import SKANCore

/// A winning postback of an install or a redownload, as far as estimates look at it.
package struct ReportedPostback {
    package let window: Window
    /// The middle of the days on which the install may have happened, in days since 1970.
    package let day: Int64
    /// nil = hidden.
    package let fine: Int?
    package let coarse: Int?
    package let isRedownload: Bool
    package let isBeforeSKAN4: Bool
    /// Whether it has three or four digits of the source identifier.
    package let hasLongIdentifier: Bool
    /// The app of the App Store; nil = not reported.
    package let app: Int64?

    package init(
        window: Window, day: Int64, fine: Int?, coarse: Int?, isRedownload: Bool, isBeforeSKAN4: Bool,
        hasLongIdentifier: Bool, app: Int64?
    ) {
        (self.window, self.day, self.fine, self.coarse) = (window, day, fine, coarse)
        (self.isRedownload, self.isBeforeSKAN4) = (isRedownload, isBeforeSKAN4)
        (self.hasLongIdentifier, self.app) = (hasLongIdentifier, app)
    }

    var value: ReportedValue {
        if let fine { return .fine(fine) }
        return coarse.map { .coarse($0) } ?? .hidden
    }
}

/// The value that a winning postback of window 0 reports.
enum ReportedValue {
    case fine(Int)
    case coarse(Int)
    case hidden
}

/// Indices that stand for models unknown to the report.
package enum PlaceOfModel {
    /// The model of a postback that does not name it.
    package static var undecided: Int { 255 }
    /// A model that the report was not given.
    package static var other: Int { 254 }
}

package import SKANCore

/// A winning postback of an install or a redownload, reduced to the facts that estimates use.
package struct ReportedPostback {
    package let window: Window
    /// The middle of the range of days in which the install happened, in days since 1970.
    package let day: Int64
    package let fine: Int?
    package let coarse: Int?
    package let isRedownload: Bool
    package let isBeforeSKAN4: Bool
    /// Whether the postback has three or four digits of the source identifier.
    package let hasLongIdentifier: Bool
    /// An App Store id; nil if it is not reported.
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

/// Values that take the place of a model's index, for models that the report does not know.
package enum PlaceOfModel {
    /// The model of a postback that does not name it.
    package static var undecided: Int { 255 }
    /// A model that the report was not given.
    package static var other: Int { 254 }
}

internal import SKANCore

/// Options of ``Engine/register(_:_:)``.
public struct Registration: Hashable, Sendable {
    /// The time of the app's first launch after it was installed, Unix seconds, at most a minute ahead of the clock; 0
    /// = now. Windows are counted from this time. Keep it with the install id, and pass the same time in every call, so
    /// that a repeated call changes nothing.
    public var firstLaunch: Int64
    /// Whether an install that is already registered with an earlier first launch begins again as a new install,
    /// because the app was installed again. If false, the install is left as it is.
    public var beginsAgain: Bool
    /// Whether an install that begins again keeps its lifetime revenue totals. Totals of windows are never kept.
    public var keepsRevenue: Bool

    public init(firstLaunch: Int64 = 0, beginsAgain: Bool = false, keepsRevenue: Bool = false) {
        self.firstLaunch = firstLaunch
        self.beginsAgain = beginsAgain
        self.keepsRevenue = keepsRevenue
    }

    var checked: FirstLaunch {
        get throws {
            try translated { () throws(Failure) in
                try FirstLaunch(time: firstLaunch, beginsAgain: beginsAgain, keepsRevenue: keepsRevenue)
            }
        }
    }
}

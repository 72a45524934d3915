internal import SKANCore

/// How ``Engine/register(_:_:)`` registers an install.
public struct Registration: Hashable, Sendable {
    /// When the app was launched first after it was installed, Unix seconds, at most a minute ahead of the clock; 0 =
    /// now. Windows count from it. Keep it with the install id, and name the same time in every call: then a repeated
    /// call changes nothing.
    public var firstLaunch: Int64
    /// What becomes of an install that was registered with an earlier first launch: false = it stays as it is; true =
    /// it was installed anew, and a new life begins.
    public var beginsAgain: Bool
    /// Whether the lifetime totals stay when a new life begins; those of windows never do.
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

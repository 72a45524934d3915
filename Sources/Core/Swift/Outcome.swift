internal import SKANCore

/// The outcome of a call that did not fail. All outcomes are expected in normal operation. With any outcome but ``ok``
/// the call changed nothing, unless its method says otherwise.
///
/// The numbers are those of `skan_status` in skan.h; they are never reused, and newer versions may add some.
public struct Outcome: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// 0: the call did what it was asked to do.
    public static let ok = Outcome(rawValue: 0)
    /// 1: the install is already registered; for an import or a rename, there already is a record under the id.
    public static let alreadyRegistered = Outcome(rawValue: 1)
    /// 2: this event id was counted before, so the call is a retry and counts nothing.
    public static let duplicateEvent = Outcome(rawValue: 2)
    /// 3: neither the endpoint's answer nor the model gives a new value.
    public static let noNewValue = Outcome(rawValue: 3)
    /// 4: the answer is for another window, or a newer answer was applied before.
    public static let staleResponse = Outcome(rawValue: 4)
    /// 5: the current postback window was locked before; Apple ignores updates to it.
    public static let windowLocked = Outcome(rawValue: 5)
    /// 6: the last postback window is over (SKAN 3: 24 hours without a new value).
    public static let windowClosed = Outcome(rawValue: 6)
    /// 7: the install is not registered: neither ``Engine/register(_:_:)`` nor an import did so.
    public static let notRegistered = Outcome(rawValue: 7)
    /// 8: no update waits for the app.
    public static let nothingPending = Outcome(rawValue: 8)
    /// 9: there is no re-engagement with this number, or no record to rename.
    public static let notFound = Outcome(rawValue: 9)
    /// 10: the device's system is older than iOS 18 and has no re-engagements.
    public static let unsupported = Outcome(rawValue: 10)
}

extension Outcome: CustomStringConvertible {
    /// The name in skan.h, "SKAN_STALE_RESPONSE".
    public var description: String { Status(rawValue: rawValue).name.description }
}

extension Outcome {
    init(_ status: Status) { self.init(rawValue: status.rawValue) }
}

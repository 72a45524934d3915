internal import SKANCore
internal import SKANEngine

/// A new value of an install or a re-engagement. ``Engine/pendingCalls(_:osVersion:)`` hands it to the app.
public struct Update: Hashable, Sendable {
    /// The number of this update, greater than the numbers of all earlier updates of the install.
    public let id: UInt64
    /// The update's postback window: 0, 1 or 2; 0 in SKAN 3.
    public let window: Int
    /// The fine value, 0...63; nil = the current fine value stays.
    public let fineValue: Int?
    /// The coarse value; nil = none; always nil in SKAN 3.
    public let coarseValue: CoarseValue?
    /// Whether the app locks the window with this update.
    public let locksWindow: Bool
    /// The time at which the update was decided, Unix seconds.
    public let timestamp: Int64
}

extension Update {
    init(_ update: ValueUpdate) {
        id = update.id
        window = Int(update.window.rawValue)
        fineValue = update.fine.map { Int($0) }
        coarseValue = update.coarse.flatMap { CoarseValue(rawValue: Int($0)) }
        locksWindow = update.locksWindow
        timestamp = update.timestamp
    }
}

/// The result of a call that can give an update: its outcome, and the update, if there is one.
public struct UpdateResult: Hashable, Sendable {
    public let outcome: Outcome

    /// The install's new value, which stays among the pending calls until it is acknowledged. nil if the outcome is not
    /// ``Outcome/ok`` or the install got no value, as after a registration in SKAN 3.
    public let update: Update?
}

extension UpdateResult {
    init(_ answer: UpdateAnswer) {
        outcome = Outcome(answer.status)
        update = answer.update.map { Update($0) }
    }
}

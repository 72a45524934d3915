internal import SKANCore
internal import SKANEngine

/// A conversion value for the app to pass to Apple, with `SKAdNetwork.updatePostbackConversionValue` or its older forms
/// (Apple: SKAdNetwork, "Receiving ad attributions and postbacks").
///
/// Codable, so that a back end can send it to the app. The keys are those of `skan_update` in skan.h: `id`, `window`,
/// `fine_value`, `coarse_value`, `lock_window`, `timestamp`; a missing value is `null`.
public struct Update: Hashable, Sendable {
    /// The number of this update among the install's updates, from 1. ``Engine/acknowledgeUpdate(_:id:delivered:)``
    /// takes it.
    public let id: UInt64
    /// The update's postback window: 0, 1 or 2; 0 in SKAN 3.
    public let window: Int
    /// The fine value, 0...63; nil = the app passes the install's current fine value to Apple.
    public let fineValue: Int?
    /// The coarse value; nil = none; always nil in SKAN 3.
    public let coarseValue: CoarseValue?
    /// Whether the app locks the window with this update.
    public let locksWindow: Bool
    /// The time at which the update was decided, Unix seconds.
    public let timestamp: Int64
}

extension Update: Codable {
    private enum Key: String, CodingKey {
        case id
        case window
        case fineValue = "fine_value"
        case coarseValue = "coarse_value"
        case locksWindow = "lock_window"
        case timestamp
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        id = try members.decode(UInt64.self, forKey: .id)
        window = try members.decode(Int.self, forKey: .window)
        fineValue = try members.decodeIfPresent(Int.self, forKey: .fineValue)
        coarseValue = try members.decodeIfPresent(CoarseValue.self, forKey: .coarseValue)
        locksWindow = try members.decode(Bool.self, forKey: .locksWindow)
        timestamp = try members.decode(Int64.self, forKey: .timestamp)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(id, forKey: .id)
        try members.encode(window, forKey: .window)
        try members.encode(fineValue, forKey: .fineValue)
        try members.encode(coarseValue, forKey: .coarseValue)
        try members.encode(locksWindow, forKey: .locksWindow)
        try members.encode(timestamp, forKey: .timestamp)
    }
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

/// The result of a call that may give an update: its outcome, and the update, if there is one.
public struct UpdateResult: Hashable, Sendable {
    public let outcome: Outcome

    /// The update for the app to pass to Apple; it stays pending until it is acknowledged. nil unless the outcome is
    /// ``Outcome/ok``, and after a registration in SKAN 3, which starts without a value.
    public let update: Update?
}

extension UpdateResult {
    init(_ answer: UpdateAnswer) {
        outcome = Outcome(answer.status)
        update = answer.update.map { Update($0) }
    }
}

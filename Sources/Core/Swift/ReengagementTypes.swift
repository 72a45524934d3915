internal import SKANCore
internal import SKANEngine

/// An engine's models and settings for re-engagements, SKAN 4 only. Rules, "Conversions", "Credit", "Re-engage".
public struct Reengagements: Sendable {
    /// The active re-engagements for which a purchase or an event counts if its call names no re-engagement: all, or
    /// the newest one.
    public enum Credit: Sendable {
        case all
        case newest
    }

    /// Conversion models of re-engagements: the first is for new re-engagements, the others are for re-engagements that
    /// began with them. Without models ``Engine/reengage(_:_:)`` throws misuse.
    public var models: [ConversionModel]
    public var credit: Credit
    /// The app's cool-down in hours, as in its Info.plist: 0...720.
    public var cooldownHours: Int

    public init(models: [ConversionModel] = [], credit: Credit = .all, cooldownHours: Int = 0) {
        self.models = models
        self.credit = credit
        self.cooldownHours = cooldownHours
    }
}

/// An app's report of a re-engagement: a user tapped an ad and thereby came back into the app.
public struct ReengagementReport: Hashable, Sendable, Codable {
    /// The id of this opening of the app, 1...128 bytes; nil = none, but then repeated reports are hard to recognize.
    public var openID: String?
    /// The conversion tag, at most 256 bytes; nil or empty = none. It is a secret of the device.
    public var tag: String?
    /// A text that the host chooses, such as a campaign, of at most 64 bytes; nil or empty = none.
    public var reference: String?
    /// The time of the tap in Unix seconds: the server's time minus the age that the app reports; 0 = now.
    public var openedAt: Int64 = 0
    /// Whether the app, when it was opened, already made the re-engagement's first call to Apple.
    public var isStarted = false
    /// Whether the value in the link is a conversion tag. It is one if the app has opted in and runs on iOS 18.4 or
    /// newer. If false, ``tag`` is ignored.
    public var isOverlapping = false
    /// The version of iOS, such as "18.4"; nil = unknown.
    public var osVersion: String?

    public init(openID: String? = nil) { self.openID = openID }
}

func reengagementSettings(
    _ reengagements: Reengagements, _ protocolVersion: SKANCore.ProtocolVersion
) throws -> ReengagementSettings {
    let models = try checkedModels(
        reengagements.models, "reengagementModels", protocolVersion, forReengagements: true)
    return try translated { () throws(Failure) in
        try ReengagementSettings(
            models: models, creditsNewest: reengagements.credit == .newest,
            cooldownHours: UInt32(clamping: reengagements.cooldownHours))
    }
}

/// Rules, "Postback verification": what a postback is by its signature. The numbers are those of postback.h.
package enum PostbackResult: Int32, Sendable {
    /// Signed by Apple, every signed field is as it was signed.
    case valid = 0
    /// The signature does not fit.
    case invalid = 1
    /// The postback has a version, or is signed with a key, that is not known here.
    case unverifiable = 2
    /// The signature fits, and is of a development key of AdAttributionKit: a test.
    case development = 3
    /// The document is not a postback.
    case malformed = 4

    /// Whether the signature fits.
    package var isProven: Bool { self == .valid || self == .development }

    package var name: StaticString {
        switch self {
        case .valid: "valid"
        case .invalid: "invalid"
        case .unverifiable: "unverifiable"
        case .development: "development"
        case .malformed: "malformed"
        }
    }
}

/// The framework that a postback comes from.
package enum PostbackFramework: Int32, Sendable {
    case skAdNetwork = 0
    case adAttributionKit = 1

    package var name: StaticString { self == .skAdNetwork ? "SKAdNetwork" : "AdAttributionKit" }
}

/// Rules, "Re-engagements": what the ad brought about.
package enum PostbackConversion: Int32, Sendable {
    /// The type is not reported, or is an unknown word.
    case unknown = 0
    /// The first install of the app by this person.
    case download = 1
    /// An install by someone who had the app before.
    case redownload = 2
    /// A re-engagement: a tap on an ad led back into the app. It is not an install.
    case reengagement = 3

    package var name: StaticString {
        switch self {
        case .unknown: "unknown"
        case .download: "download"
        case .redownload: "redownload"
        case .reengagement: "re-engagement"
        }
    }
}

/// What is known of a postback that was verified before.
package struct PostbackVerdict: Equatable, Sendable {
    package var result: PostbackResult
    /// The signature fits without the source-app-id that stands in it.
    package var omitsSourceApp: Bool

    package init(result: PostbackResult, omitsSourceApp: Bool) {
        self.result = result
        self.omitsSourceApp = omitsSourceApp
    }
}

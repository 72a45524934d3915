/// Rules, "Postback verification": the result of verifying a postback. The numbers are those of postback.h.
package enum PostbackResult: Int32, Sendable {
    /// The postback is signed by Apple, with every signed field unchanged.
    case valid = 0
    /// The signature does not match.
    case invalid = 1
    /// The postback has an unknown version, or is signed with an unknown key.
    case unverifiable = 2
    /// The signature matches a development key of AdAttributionKit, so the postback is a test.
    case development = 3
    /// The document is not a postback.
    case malformed = 4

    /// Whether the signature matches.
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

package enum PostbackFramework: Int32, Sendable {
    case skAdNetwork = 0
    case adAttributionKit = 1

    package var name: StaticString { self == .skAdNetwork ? "SKAdNetwork" : "AdAttributionKit" }
}

/// Rules, "Re-engagements": the type of conversion that the ad led to.
package enum PostbackConversion: Int32, Sendable {
    /// The type is not reported.
    case unknown = 0
    /// The first install of the app by this person.
    case download = 1
    /// An install by someone who had the app before.
    case redownload = 2
    /// A re-engagement: a tap on an ad led back into the app. It is not an install.
    case reengagement = 3
    /// A type that this library does not know, so it is counted as none of the others.
    case other = 5

    package var name: StaticString {
        switch self {
        case .unknown: "unknown"
        case .download: "download"
        case .redownload: "redownload"
        case .reengagement: "re-engagement"
        case .other: "unknown_type"
        }
    }
}

/// The result of an earlier verification, as stored with the postback.
package struct PostbackVerdict: Equatable, Sendable {
    package var result: PostbackResult
    /// Whether the signature was checked without the postback's source-app-id, which is 0.
    package var omitsSourceApp: Bool
    /// Whether the postback was not written as Apple writes it. Rules, "Respelled postbacks".
    package var isRespelled: Bool

    package init(result: PostbackResult, omitsSourceApp: Bool, isRespelled: Bool = false) {
        self.result = result
        self.omitsSourceApp = omitsSourceApp
        self.isRespelled = isRespelled
    }
}

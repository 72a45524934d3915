import SKANPostbackVerification

/// The kind of conversion that an ad led to, as the report counts it.
package enum AdConversion: Int {
    case install, redownload, reengagement
    /// A conversion of a type that the library does not know; it is counted separately.
    case unknownType

    /// Takes the kind from a postback. A postback without a type counts as an install, because before AdAttributionKit
    /// there were no other conversions.
    init(of postback: VerifiedPostback) {
        if postback.unknownType != nil {
            self = .unknownType
            return
        }
        switch postback.conversion {
        case .redownload: self = .redownload
        case .reengagement: self = .reengagement
        case .download, .unknown: self = .install
        case .other: self = .unknownType
        }
    }
}

import SKANPostbackVerification

/// The kind of conversion that an ad led to, as the report counts it.
package enum AdConversion: Int {
    case install, redownload, reengagement

    static var count: Int { 3 }

    /// A postback without a type counts as an install, because before AdAttributionKit there were no other conversions.
    init(_ conversion: PostbackConversion) {
        switch conversion {
        case .redownload: self = .redownload
        case .reengagement: self = .reengagement
        case .download, .unknown: self = .install
        }
    }
}

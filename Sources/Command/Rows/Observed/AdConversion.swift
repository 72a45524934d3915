internal import SKANPostbackVerification

/// What an ad brought about, as it is counted.
package enum AdConversion: Int {
    case install, redownload, reengagement

    static var count: Int { 3 }

    /// A postback without a type counts as an install: before AdAttributionKit there was nothing else.
    init(_ conversion: PostbackConversion) {
        switch conversion {
        case .redownload: self = .redownload
        case .reengagement: self = .reengagement
        case .download, .unknown: self = .install
        }
    }
}

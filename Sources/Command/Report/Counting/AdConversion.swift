internal import SKANPostbackVerification

/// What an ad brought about, as it is counted.
enum AdConversion: Int {
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

    var group: ConversionGroup { self == .reengagement ? .reengagements : .installs }
}

/// The conversions that are counted together. Re-engagements are not installs: they are reported separately.
enum ConversionGroup: Int {
    /// Installs, with redownloads.
    case installs
    case reengagements

    static var count: Int { 2 }
}

/// How many there are of each conversion.
struct ConversionCounts {
    private var counts = InlineArray<3, UInt64>(repeating: 0)

    subscript(conversion: AdConversion) -> UInt64 {
        get { counts[conversion.rawValue] }
        set { counts[conversion.rawValue] = newValue }
    }

    var sum: UInt64 { counts[0] + counts[1] + counts[2] }

    mutating func add(_ more: ConversionCounts) {
        for index in counts.indices { counts[index] += more.counts[index] }
    }
}

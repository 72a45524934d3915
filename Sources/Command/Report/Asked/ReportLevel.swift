package enum ReportLevel: Int, Comparable {
    case total, network, campaign, adSet

    package static func < (one: ReportLevel, other: ReportLevel) -> Bool { one.rawValue < other.rawValue }
}

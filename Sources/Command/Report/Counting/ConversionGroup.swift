import SKANCommandRows

/// Conversions that are counted together. Re-engagements are not installs, so they are reported separately.
enum ConversionGroup: Int {
    /// Installs and redownloads.
    case installs
    case reengagements
}

extension AdConversion {
    var group: ConversionGroup { self == .reengagement ? .reengagements : .installs }
}

/// The number of conversions of each known kind.
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

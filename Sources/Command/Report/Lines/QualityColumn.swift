import SKANCommandRows

/// The columns of the part on data quality.
enum QualityColumn: CaseIterable {
    case counted, respelled, illegal, unknownTypes, refused

    var head: StaticString {
        switch self {
        case .counted: "counted"
        case .respelled: "respelled"
        case .illegal: "illegal"
        case .unknownTypes: "unknown type"
        case .refused: "refused"
        }
    }

    /// The key in JSON; the reasons of refused ones are in an object of this name.
    var key: StaticString {
        switch self {
        case .counted: "counted"
        case .respelled: "respelled"
        case .illegal: "illegal_values"
        case .unknownTypes: "unknown_types"
        case .refused: "refused"
        }
    }

    /// The title on the page.
    var title: StaticString {
        switch self {
        case .counted: "Counted"
        case .respelled: "Respelled"
        case .illegal: "Illegal values"
        case .unknownTypes: "Unknown types"
        case .refused: "Refused"
        }
    }

    func count(_ quality: NetworkQuality) -> UInt64 {
        switch self {
        case .counted: quality.counted
        case .respelled: quality.respelled
        case .illegal: quality.illegal
        case .unknownTypes: quality.unknownTypes
        case .refused: quality.refusedCount
        }
    }
}

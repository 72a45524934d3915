import SKANCommandRows

/// The columns of the part on data quality.
enum QualityColumn: CaseIterable {
    case counted, respelled, illegal, unknownTypes, refused

    var head: StaticString { words.head }
    /// The key in JSON. For refused postbacks, its value is an object with the number for each reason.
    var key: StaticString { words.key }
    /// The title on the page.
    var title: StaticString { words.title }

    private var words: (head: StaticString, key: StaticString, title: StaticString) {
        switch self {
        case .counted: ("counted", "counted", "Counted")
        case .respelled: ("respelled", "respelled", "Respelled")
        case .illegal: ("illegal", "illegal_values", "Illegal values")
        case .unknownTypes: ("unknown type", "unknown_types", "Unknown types")
        case .refused: ("refused", "refused", "Refused")
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

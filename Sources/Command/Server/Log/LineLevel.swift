package enum LineLevel: Sendable {
    /// An event of ordinary operation.
    case info
    /// An event that an operator should look into. The server goes on, perhaps with reduced service.
    case warning
    /// A failure: something that was requested was not done.
    case error

    var name: StaticString {
        switch self {
        case .info: "info"
        case .warning: "warning"
        case .error: "error"
        }
    }
}

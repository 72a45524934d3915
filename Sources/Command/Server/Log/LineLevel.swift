/// How serious a line of the log is.
package enum LineLevel: Sendable {
    /// What happens in ordinary operation.
    case info
    /// What an operator should look into: the server goes on as before, or with less.
    case warning
    /// Something was not done that was asked for.
    case error

    var name: StaticString {
        switch self {
        case .info: "info"
        case .warning: "warning"
        case .error: "error"
        }
    }
}

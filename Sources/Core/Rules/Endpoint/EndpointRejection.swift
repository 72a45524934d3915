/// Rules, "Endpoint reasons": why an endpoint answers a request with an error, in the words of the published one.
package enum EndpointRejection: Error {
    case windowClosed(hours: Int64)
    case platform
    /// An item is missing, or not as documented.
    case parameter(DocumentKey)
    case noModel(app: [UInt8])
    case period(days: Int64)

    package var reason: Message {
        switch self {
        case .windowClosed(let hours):
            "More than 24 hours have past since last conversion update (\(hours) hours), the update window is closed"
        case .platform:
            "Unknown platform error - Non iOS platform"
        case .parameter(let name):
            invalidParameter(name)
        case .noModel(let app):
            "Conversion Management: Conversion Model not found for app: \(Message(utf8: app))"
        case .period(let days):
            "Invalid measurement period: \(days)"
        }
    }
}

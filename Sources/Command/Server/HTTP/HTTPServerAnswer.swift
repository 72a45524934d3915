internal import SKANCore

/// What a request is answered with.
package struct HTTPServerAnswer {
    /// Of HTTP.
    package let status: UInt32
    /// nil for none.
    package let contentType: StaticString?
    package let body: [UInt8]
    /// For logs and metrics.
    package let outcome: StaticString

    package init(_ status: UInt32, _ contentType: StaticString?, _ body: [UInt8], outcome: StaticString) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.outcome = outcome
    }

    /// Of a request that no route takes, or that never came whole.
    package init(refusal: HTTPRefusal) {
        let body: Message = "\(refusal.reason)\n"
        self.init(refusal.rawValue, "text/plain; charset=utf-8", body.utf8, outcome: "refused")
    }

    /// Of a connection that is closed behind it: there is no body.
    init(farewell: HTTPRefusal) { self.init(farewell.rawValue, nil, [], outcome: "refused") }
}

/// The status that a request is refused with before anybody has looked at what it wants.
package enum HTTPRefusal: UInt32 {
    case badRequest = 400
    case notFound = 404
    case methodNotAllowed = 405
    case timeout = 408
    case tooLarge = 413

    package var reason: StaticString {
        switch self {
        case .badRequest: "Bad Request"
        case .notFound: "Not Found"
        case .methodNotAllowed: "Method Not Allowed"
        case .timeout: "Request Timeout"
        case .tooLarge: "Content Too Large"
        }
    }
}

package import SKANCore

package struct HTTPServerAnswer {
    package let status: UInt32
    /// The header Content-Type; nil for none.
    package let contentType: StaticString?
    package let body: [UInt8]
    /// The outcome for logs and metrics.
    package let outcome: StaticString
    /// The header Retry-After in seconds; 0 for none.
    package let retryAfter: UInt32
    /// The ETag of this body with quotation marks; nil for none.
    package let etag: Message?

    package init(
        _ status: UInt32, _ contentType: StaticString?, _ body: [UInt8], outcome: StaticString, retryAfter: UInt32 = 0,
        etag: Message? = nil
    ) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.outcome = outcome
        self.retryAfter = retryAfter
        self.etag = etag
    }

    /// Makes the answer to a request that is refused before it reaches a route.
    package init(refusal: HTTPRefusal) {
        let isCrowded = refusal.limit != nil
        let body: Message = isCrowded ? HTTPServerAnswer.errorBody(refusal.reason) : "\(refusal.reason)\n"
        self.init(
            refusal.status, isCrowded ? "application/json" : "text/plain; charset=utf-8", body.utf8,
            outcome: refusal.outcome, retryAfter: refusal.isForNow ? 1 : 0)
    }

    /// Makes the last answer on a connection before it is closed.
    init(farewell: HTTPRefusal) { self.init(farewell.status, nil, [], outcome: "refused") }

    /// A body with an error message, in the format of the endpoint.
    static func errorBody(_ reason: StaticString) -> Message {
        "{\"status\":\"error\",\"reason\":\"\(reason)\"}\n"
    }
}

/// The reason why a request is refused before it reaches a route.
package enum HTTPRefusal: Equatable {
    case badRequest, notFound, methodNotAllowed, timeout, tooLarge, headersTooLarge
    /// The client has sent too many requests within a second.
    case tooMany
    /// The queue of waiting requests is full.
    case busy
    /// The request's connection is above a limit.
    case crowded(ConnectionLimit)

    package var status: UInt32 {
        switch self {
        case .badRequest: 400
        case .notFound: 404
        case .methodNotAllowed: 405
        case .timeout: 408
        case .tooLarge: 413
        case .tooMany: 429
        case .headersTooLarge: 431
        case .busy, .crowded: 503
        }
    }

    package var reason: StaticString {
        switch self {
        case .badRequest: "Bad Request"
        case .notFound: "Not Found"
        case .methodNotAllowed: "Method Not Allowed"
        case .timeout: "Request Timeout"
        case .tooLarge: "Content Too Large"
        case .tooMany: "Too Many Requests"
        case .headersTooLarge: "Request Header Fields Too Large"
        case .busy: "Service Unavailable"
        case .crowded(.ofClient): "One client has too many connections at a time: try again in a second"
        case .crowded(.ofAll): "The server has too many connections: try again in a second"
        }
    }

    /// The limit that the request's connection exceeds; nil for other refusals.
    var limit: ConnectionLimit? { if case .crowded(let limit) = self { limit } else { nil } }

    /// Whether the refusal is temporary: the request is valid, and can be answered if it is sent again later.
    var isForNow: Bool { self == .tooMany || self == .busy || limit != nil }

    var outcome: StaticString {
        switch self {
        case .tooMany: "too_many"
        case .busy: "busy"
        case .crowded: "crowded"
        default: "refused"
        }
    }
}

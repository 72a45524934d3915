package import SKANCore
package import SKANSystem

/// The settings for a client's requests. Times are in milliseconds; no number is zero.
package struct HTTPSettings: Sendable {
    /// The limit for a whole request with all its attempts and pauses.
    package var timeout: UInt32 = 10_000
    package var attemptTimeout: UInt32 = 4_000
    package var connectTimeout: UInt32 = 2_000
    /// The greatest number of attempts. With the pauses below, the last of six attempts begins at least 2.5 s after the
    /// first, so that restarting a server makes no request fail.
    package var maxAttempts: UInt32 = 6
    package var backoff: UInt32 = 200
    package var maxBackoff: UInt32 = 2_000
    /// The greatest number of connections. It is half of what `skan serve` accepts from one client, so that two
    /// processes of one machine can connect.
    package var maxConnections: UInt32 = 16
    /// The HTTP statuses that count as an answer. With any other status, a request fails.
    package var successes = 200...200
    package var caFile: CText?
    package var proxy: CText?
    /// Whether a request may be sent again after it was sent even if its URL has no event id.
    package var repeatsAll = false

    package init() {}
}

/// The size limits that http.h promises.
package enum HTTPLimits {
    package static var bodyBytes: Int { 65_536 }
    /// The limit for all headers of an answer together.
    package static var headerBytes: Int { 65_536 }
    /// The greatest size of a file's name in messages.
    static var fileBytes: Int { 200 }
    /// The greatest size of a URL's host in messages.
    static var hostBytes: Int { 160 }
    /// The greatest size of an error text in messages.
    static var wordsBytes: Int { 340 }
}

/// The outcome of a request. The messages are those that the transport's report function receives.
package enum HTTPOutcome: Sendable {
    /// An answer with one of `HTTPSettings.successes`. The body is complete for status 200, and empty for other
    /// statuses.
    case answered([UInt8])
    /// An answer with one of `HTTPSettings.successes`, but with a body of more than `HTTPLimits.bodyBytes`.
    case tooLarge(Message)
    /// The request was cancelled. `isSent` means the same as for `failed`.
    case cancelled(Message, isSent: Bool)
    /// Any other failure, with its message. `retryAfter` is the number of milliseconds that the server asked the client
    /// to wait; nil if it did not ask. `isSent` says whether the request was sent and the server may have counted it,
    /// because its answer was lost, or is neither HTTP status 200 nor a refusal (3xx, 4xx).
    case failed(Message, retryAfter: Int64? = nil, isSent: Bool = false)
}

/// The status for a request that got no answer. `isSent` is the value in the request's outcome.
package func transportStatus(isSent: Bool) -> Status { isSent ? .transportUnknown : .transport }

extension Message {
    /// The message, cut to at most `count` bytes.
    package func cut(_ count: Int) -> Message {
        utf8.count <= count ? self : Message(utf8: [UInt8](utf8.prefix(count)))
    }
}

package import SKANCore
package import SKANSystem

/// How a client makes its requests. Times are in milliseconds; no number is zero.
package struct HTTPSettings: Sendable {
    /// The limit for a whole request with all its attempts and pauses.
    package var timeout: UInt32 = 10_000
    package var attemptTimeout: UInt32 = 4_000
    package var connectTimeout: UInt32 = 2_000
    /// The number of attempts. With the pauses below, the last of six begins at least 2.5 s after the first one, so
    /// that no request fails because a server is restarted.
    package var maxAttempts: UInt32 = 6
    package var backoff: UInt32 = 200
    package var maxBackoff: UInt32 = 2_000
    /// Half of what `skan serve` takes from one client, so that two processes on a machine fit.
    package var maxConnections: UInt32 = 16
    package var caFile: CText?
    package var proxy: CText?

    package init() {}
}

/// What http.h promises of sizes.
package enum HTTPLimits {
    /// Bytes of an answer's body.
    package static var bodyBytes: Int { 65_536 }
    /// Bytes of all its headers.
    package static var headerBytes: Int { 65_536 }
    /// Bytes that messages show of a file's name, of a URL's host, and of an error text.
    static var fileBytes: Int { 200 }
    static var hostBytes: Int { 160 }
    static var wordsBytes: Int { 340 }
}

/// What a request came to. The messages say it as the transport's report is told it.
package enum HTTPOutcome: Sendable {
    /// HTTP status 200, with its whole body.
    case answered([UInt8])
    /// HTTP status 200, with more than `HTTPLimits.bodyBytes`.
    case tooLarge(Message)
    case cancelled(Message)
    /// Any other failure, with its message. `retryAfter`: the milliseconds for which the server asked to be left alone;
    /// nil where it did not.
    case failed(Message, retryAfter: Int64? = nil)
}

extension Message {
    /// So many bytes of it at most.
    func cut(_ count: Int) -> Message { utf8.count <= count ? self : Message(utf8: [UInt8](utf8.prefix(count))) }
}

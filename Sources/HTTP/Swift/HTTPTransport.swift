internal import SKAN
internal import SKANCore
internal import SKANHTTPClient
internal import SKANSystem

/// An HTTP transport for an engine, based on libcurl:
///
///     let engine = try Engine(configuration, transport: HTTPTransport().get)
///
/// Know before production:
/// - **Answers.** An answer is HTTP status 200 with a complete body of at most 64 KiB and at most 64 KiB of headers.
///   Redirects are not followed. Only http and https URLs are accepted. Over https the server's certificate and name
///   are verified, with TLS 1.2 or newer.
/// - **Retries.** A request whose URL carries an `event_id` is repeated only after a time-out, after HTTP status 429
///   and 5xx, and after a connection that was refused or ended before the first byte of an answer, with up to
///   ``Options/maxAttempts`` attempts. In the same cases, any other request is repeated only if nothing of it was sent,
///   because the server could count it twice. Each pause is random between half of a limit and the whole limit, plus
///   the time in the header Retry-After; the limit doubles from ``Options/backoff`` up to ``Options/maxBackoff``. With
///   the defaults a server may be gone for two seconds without making a request fail. If no time would be left after
///   the pause, the request fails at once.
/// - **Time.** ``Options/timeout`` limits the whole request, including attempts, pauses and name look-ups.
/// - **Tasks.** Any number of tasks may use the transport at once. All requests run on one thread of the transport, so
///   none blocks a thread of the cooperative pool. The request of a cancelled task ends at once, with
///   `CancellationError`.
/// - **Connections** are kept and shared, with HTTP/2 if the server has it, otherwise HTTP/1.1. Requests beyond
///   ``Options/maxConnections`` wait for a connection; the time limit of an attempt starts after this wait.
/// - **Secrets.** Messages name the host and port, never the URL's path, query or user, nor a proxy's password.
public final class HTTPTransport: Sendable {
    /// The settings for requests. Times are from 1 ms to 1 hour.
    public struct Options: Hashable, Sendable {
        /// The limit for a whole request, with retries and pauses.
        public var timeout: Duration = .seconds(10)
        /// The limit for one attempt.
        public var attemptTimeout: Duration = .seconds(4)
        /// The limit for an attempt's name look-up, connection and TLS handshake.
        public var connectTimeout: Duration = .seconds(2)
        /// The greatest number of attempts, 1...100; 1 means no retries.
        public var maxAttempts = 6
        /// The longest pause after the first attempt. The limit doubles with each attempt, up to ``maxBackoff``.
        public var backoff: Duration = .milliseconds(200)
        /// The longest pause, not counting Retry-After.
        public var maxBackoff: Duration = .seconds(2)
        /// The greatest number of open connections, 1...4096. The default is half of what `skan serve` accepts from one
        /// client.
        public var maxConnections = 16
        /// A PEM file of certificates to trust in place of the system's; nil = the system's.
        public var caFile: String?
        /// A proxy, "http://proxy.example:3128"; "" = none; nil = the environment's, as libcurl reads it.
        public var proxy: String?

        public init() {}
    }

    private let client: HTTPClient

    /// Creates a transport. It does not connect anywhere yet.
    ///
    /// - Throws: `SKANError.Code.invalidArgument` if an option is not as described; `SKANError.Code.transport` if the
    ///   file of certificates cannot be read, or if libcurl cannot be used.
    public init(_ options: Options = Options()) throws {
        var settings = HTTPSettings()
        settings.timeout = try milliseconds(options.timeout, "timeout")
        settings.attemptTimeout = try milliseconds(options.attemptTimeout, "attemptTimeout")
        settings.connectTimeout = try milliseconds(options.connectTimeout, "connectTimeout")
        settings.maxAttempts = try number(options.maxAttempts, upTo: 100, "maxAttempts")
        settings.backoff = try milliseconds(options.backoff, "backoff")
        settings.maxBackoff = try milliseconds(options.maxBackoff, "maxBackoff")
        settings.maxConnections = try number(options.maxConnections, upTo: 4096, "maxConnections")
        settings.caFile = try options.caFile.map { try text($0, "caFile") }
        settings.proxy = try options.proxy.map { try text($0, "proxy") }
        do throws(Failure) { client = try HTTPClient(settings) } catch { throw SKANError(error) }
    }

    deinit { client.end() }

    /// Gets the body of an http or https URL.
    ///
    /// - Throws: `SKANError.Code.transport`, with libcurl's description of the error, if there is no answer with HTTP
    ///   status 200; `SKANError.Code.transportUnknown` instead if the server may have counted the request but its
    ///   answer was lost; `SKANError.Code.limitExceeded` for a body of more than 64 KiB; `CancellationError` if the
    ///   task is cancelled.
    @Sendable public func get(_ url: String) async throws -> [UInt8] {
        let url = try text(url, "url")
        let request = TransportRequest(client)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { request.start(url, $0) }
        } onCancel: {
            request.cancel()
        }
    }
}

// MARK: Options

private func milliseconds(_ duration: Duration, _ name: String) throws -> UInt32 {
    guard duration >= .milliseconds(1), duration <= .seconds(3600) else {
        throw SKANError(.invalidArgument, "options.\(name): expected 1 ms to 1 h, got \(duration)")
    }
    let (seconds, attoseconds) = duration.components
    return UInt32(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
}

private func number(_ value: Int, upTo limit: Int, _ name: String) throws -> UInt32 {
    guard (1...limit).contains(value) else {
        throw SKANError(.invalidArgument, "options.\(name): expected 1 to \(limit), got \(value)")
    }
    return UInt32(value)
}

/// Throws if the text contains a NUL.
private func text(_ text: String, _ name: String) throws -> CText {
    guard !text.utf8.contains(0) else { throw SKANError(.invalidArgument, "\(name): expected no NUL in it") }
    return CText(text.utf8)
}

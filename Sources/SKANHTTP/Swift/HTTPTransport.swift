internal import CSKANHTTP
internal import SKAN

/// HTTP for an engine, by libcurl:
///
///     let engine = try Engine(configuration, transport: HTTPTransport().get)
///
/// Know before production:
/// - **Answers.** HTTP status 200 and a whole body of at most 64 KiB, with 64 KiB of headers at most. Redirects are not
///   followed. Only http and https URLs; over https the server's certificate and name are verified, with TLS 1.2 or
///   newer.
/// - **Retries.** After a time-out, HTTP status 429 and 5xx, and nothing else, up to ``Options/maxAttempts``. The pause
///   before each doubles from ``Options/backoff`` up to ``Options/maxBackoff``, and of that a share between a half and
///   all of it is drawn at random; what the header Retry-After asks for comes on top. Where no time would be left after
///   the pause, the request ends at once.
/// - **Time.** ``Options/timeout`` bounds the whole request, attempts, pauses and name look-ups and all.
/// - **Tasks.** Any number at once. All requests run on one thread of the transport's own: none waits on a thread of
///   the cooperative pool. A cancelled task's request ends at once, with `CancellationError`.
/// - **Connections** are kept and shared: HTTP/2 where the server has it, else HTTP/1.1.
/// - **Secrets.** Messages name the host and port, never the URL's path, query or user, nor a proxy's password.
public final class HTTPTransport: Sendable {
    /// How requests are made. Times are from 1 ms up to an hour.
    public struct Options: Hashable, Sendable {
        /// Of a whole request, retries and pauses included.
        public var timeout: Duration = .seconds(10)
        /// Of one attempt.
        public var attemptTimeout: Duration = .seconds(4)
        /// Of an attempt's name look-up, connection and TLS handshake.
        public var connectTimeout: Duration = .seconds(2)
        /// 1 = no retries, up to 100.
        public var maxAttempts = 3
        /// The first pause is at most that long.
        public var backoff: Duration = .milliseconds(200)
        /// No pause is longer, Retry-After aside.
        public var maxBackoff: Duration = .seconds(2)
        /// Open at once, 1...4096.
        public var maxConnections = 64
        /// A file of certificates in PEM form that are trusted in place of the system's; nil = the system's.
        public var caFile: String?
        /// "http://proxy.example:3128"; "" = none; nil = the environment's, as libcurl reads it.
        public var proxy: String?

        public init() {}
    }

    nonisolated(unsafe) private let client: OpaquePointer

    /// Connects nowhere yet.
    ///
    /// - Throws: `SKANError.Code.invalidArgument`: an option is not as described;
    ///   `SKANError.Code.transport`: the file of certificates cannot be read, libcurl cannot be used.
    public init(_ options: Options = Options()) throws {
        var settings = skanhttp_defaults()
        settings.timeout_ms = try milliseconds(options.timeout, "timeout")
        settings.attempt_timeout_ms = try milliseconds(options.attemptTimeout, "attemptTimeout")
        settings.connect_timeout_ms = try milliseconds(options.connectTimeout, "connectTimeout")
        settings.max_attempts = try number(options.maxAttempts, upTo: 100, "maxAttempts")
        settings.backoff_ms = try milliseconds(options.backoff, "backoff")
        settings.max_backoff_ms = try milliseconds(options.maxBackoff, "maxBackoff")
        settings.max_connections = try number(options.maxConnections, upTo: 4096, "maxConnections")
        client = try withText(options.caFile, "caFile") { caFile in
            try withText(options.proxy, "proxy") { proxy in
                settings.ca_file = caFile
                settings.proxy = proxy
                return try made(settings)
            }
        }
    }

    deinit { skanhttp_client_destroy(client) }

    /// Gets the body of an http or https URL.
    ///
    /// - Throws: `SKANError.Code.transport`, saying what went wrong in libcurl's words, unless the answer has
    ///   HTTP status 200; `SKANError.Code.limitExceeded` for a body of more than 64 KiB; `CancellationError`
    ///   where the task is cancelled.
    @Sendable public func get(_ url: String) async throws -> [UInt8] {
        let request = Request(self)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { request.start(url, $0) }
        } onCancel: {
            request.cancel()
        }
    }

    /// Answers the number to cancel it by.
    func start(_ url: String, _ continuation: Continuation) throws -> UInt64 {
        try withText(url, "url") { url in
            var why = skanhttp_refusal()
            let context = Unmanaged.passRetained(Answer(continuation))
            let number = skanhttp_start(client, url, tell, context.toOpaque(), &why)
            guard number == 0 else { return number }
            context.release()
            throw SKANError(why.is_of_url ? .invalidArgument : .transport, text(of: why.message))
        }
    }

    func cancel(_ number: UInt64) { skanhttp_cancel(client, number) }
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

/// A text as C reads it; nil as NULL.
private func withText<Result>(
    _ text: String?, _ name: String, _ body: (UnsafePointer<CChar>?) throws -> Result
) throws -> Result {
    guard let text else { return try body(nil) }
    guard !text.utf8.contains(0) else { throw SKANError(.invalidArgument, "\(name): expected no NUL in it") }
    return try text.withCString(body)
}

/// A C array of characters, ended by a NUL.
private func text<Characters>(of characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}

private func made(_ settings: skanhttp_settings) throws -> OpaquePointer {
    var settings = settings
    return try withUnsafeTemporaryAllocation(of: CChar.self, capacity: SKANHTTP_MESSAGE_SIZE) { why in
        why.initialize(repeating: 0)
        guard let client = skanhttp_client_create(&settings, why.baseAddress) else {
            throw SKANError(.transport, String(decoding: why.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
        }
        return client
    }
}

// MARK: Answers

typealias Continuation = CheckedContinuation<[UInt8], any Error>

/// Who waits for an answer, as the client's thread knows it. It does not hold the transport, which must not end there.
private final class Answer: Sendable {
    let continuation: Continuation

    init(_ continuation: Continuation) { self.continuation = continuation }
}

private func tell(
    _ context: UnsafeMutableRawPointer?, _ outcome: skanhttp_outcome, _ body: UnsafeRawPointer?, _ length: Int,
    _ message: UnsafePointer<CChar>?
) {
    guard let context else { return }
    let continuation = Unmanaged<Answer>.fromOpaque(context).takeRetainedValue().continuation
    let words = message.map { String(cString: $0) } ?? ""
    switch outcome {
    case SKANHTTP_OK: continuation.resume(returning: [UInt8](UnsafeRawBufferPointer(start: body, count: length)))
    case SKANHTTP_CANCELLED: continuation.resume(throwing: CancellationError())
    case SKANHTTP_TOO_LARGE: continuation.resume(throwing: SKANError(.limitExceeded, words))
    default: continuation.resume(throwing: SKANError(.transport, words))
    }
}

internal import CSKANCurl
internal import SKANCore
internal import SKANSystem

/// One request. It makes attempts one after the other, each of which is a libcurl transfer.
final class HTTPRequest {
    let url: RequestURL
    /// nil for a GET.
    private let body: PostedBody?
    /// Rules, "Lost answers": whether the request may be sent again after it was sent.
    private let isRepeatable: Bool
    /// Whether a message about a lost answer warns that the receiver may have counted the request. False for a partner
    /// that receives postbacks, because a partner can drop a postback that it has already received.
    private let isCounted: Bool
    let done: (HTTPOutcome) -> Void
    /// The time at which the whole request times out, on the clock of `millisecondsNow`.
    let deadline: Int64
    /// 0 until the client starts the request.
    var number: UInt64 = 0
    /// Set by any thread, under the client's lock.
    var isCancelled = false
    /// The loop that makes the request, for libcurl's callbacks.
    var loop: UnsafeMutableRawPointer?
    /// The request's index in the heap of the loop's requests; -1 if it is not in the heap.
    var place = -1

    /// The next time at which the request must be acted on, because its attempt times out, its next attempt begins, or
    /// the request times out while it waits in the loop's queue.
    var actsAt: Int64 = 0
    /// Whether the request is in `RequestLoop.waiting`, the queue for its next attempt.
    var isWaiting = false
    /// Whether an attempt is under way, so that libcurl uses the handle.
    var isUnderWay = false
    /// Whether the attempt has a connection or is opening one. The attempt's time-out starts only then.
    private(set) var hasPlace = false
    /// The handle that the loop has lent to this request.
    var easy: EasyHandle?
    fileprivate(set) var answer = HTTPAnswer()
    private var timedOut = false
    /// Whether libcurl has begun to send the request in this attempt.
    private var hasBegun = false
    /// Whether the server may have counted any of the attempts.
    private var mayBeCounted = false
    /// Valid once the request is over.
    private var outcome = HTTPOutcome.failed("")
    private var attempts: UInt32 = 0

    convenience init(
        _ url: CText, json: [UInt8]? = nil, _ settings: HTTPSettings, _ done: @escaping (HTTPOutcome) -> Void
    ) throws(Failure) {
        self.init(try RequestURL(url), json: json, settings, done)
    }

    private init(_ url: RequestURL, json: [UInt8]?, _ settings: HTTPSettings, _ done: @escaping (HTTPOutcome) -> Void) {
        self.url = url
        isRepeatable = url.hasEventID || settings.repeatsAll
        isCounted = !settings.repeatsAll
        body = json.map { PostedBody(json: $0) }
        self.done = done
        deadline = millisecondsNow() + Int64(settings.timeout)
    }

    /// Returns false if the handle cannot be prepared; the request is then over.
    func prepareAttempt(_ easy: EasyHandle, _ settings: HTTPSettings) -> Bool {
        let code = setOptions(easy)
        guard code == CURLE_OK else {
            fail(Message(curl_easy_strerror(code)))
            return false
        }
        answer.removeAll()
        timedOut = false
        hasBegun = false
        attempts += 1
        hasPlace = false
        actsAt = deadline
        return true
    }

    /// Notes that the attempt has a connection or is opening one, and starts the attempt's time-out.
    func takePlace(_ settings: HTTPSettings) {
        hasPlace = true
        actsAt = min(millisecondsNow() + Int64(settings.attemptTimeout), deadline)
    }

    /// Notes that libcurl begins to send the request. After the loss of a kept connection, libcurl does so once more,
    /// over a new one; returns false then if the request must not be repeated.
    func beginSending() -> Bool {
        let isFirst = !hasBegun
        hasBegun = true
        return isFirst || isRepeatable
    }

    private func setOptions(_ easy: EasyHandle) -> CURLcode {
        easy.words[0] = 0
        let context = Unmanaged.passUnretained(self).toOpaque()
        var options = EasyOptions(easy.curl)
        options.set(CURLOPT_URL, url.text)
        options.set(CURLOPT_PRIVATE, pointer: context)
        options.set(CURLOPT_ERRORBUFFER, pointer: easy.words)
        options.set(CURLOPT_HEADERDATA, pointer: context)
        options.set(CURLOPT_WRITEDATA, pointer: context)
        options.set { skan_curl_set_header_function($0, takeHeader) }
        options.set { skan_curl_set_write_function($0, takeBody) }
        // Requests that start together wait to learn whether one HTTP/2 connection can serve them all.
        options.set(CURLOPT_PIPEWAIT, url.isSecure ? 1 : 0)
        // A new connection is used after a time-out, because the old one may be dead although it looks alive. It is
        // also used for a request that must not be repeated, if libcurl does not report when it repeats a request after
        // the loss of a kept connection.
        let isFresh = timedOut || (!isRepeatable && !EasyHandle.tellsOfRequests)
        options.set(CURLOPT_FRESH_CONNECT, isFresh ? 1 : 0)
        body?.set(in: &options)
        return options.code
    }

    /// Decides what follows an attempt. Returns true if the request is over; it then has its outcome. Otherwise
    /// `actsAt` is the time of the next attempt.
    func attemptEnded(_ end: AttemptEnd, _ settings: HTTPSettings) -> Bool {
        if end.isAnswer {
            outcome = .answered(answer.takeWholeBody())
            return true
        }
        timedOut = end.isTimeOut
        mayBeCounted = mayBeCounted || end.mayBeCounted
        let now = millisecondsNow()
        // A caller that makes the attempts itself also numbers them, so this message does not.
        if settings.maxAttempts == 1 { return giveUp(end, end.message) }
        guard end.isPassing, isRepeatable || !end.isSent else {
            return giveUp(end, "\(end.message), attempt \(attempts)")
        }
        guard attempts < settings.maxAttempts && now < deadline else {
            return giveUp(end, "\(end.message), attempt \(attempts) of \(settings.maxAttempts)")
        }
        let pause =
            retryPause(attempts: attempts, first: settings.backoff, longest: settings.maxBackoff)
            + (end.answer.retryAfter ?? 0)
        guard pause < deadline - now else {
            return giveUp(
                end, "\(end.message), attempt \(attempts); no time is left for the next one in \(pause) ms")
        }
        actsAt = now + pause
        return false
    }

    private func giveUp(_ end: AttemptEnd, _ words: Message) -> Bool {
        if end.isTooLarge { outcome = .tooLarge(told(words)) } else { fail(words, retryAfter: end.answer.retryAfter) }
        return true
    }

    func tell() { done(outcome) }

    func fail(_ words: Message, retryAfter: Int64? = nil) {
        let words: Message =
            mayBeCounted && isCounted ? "\(words); the request was sent and may have been counted" : words
        outcome = .failed(told(words), retryAfter: retryAfter, isSent: mayBeCounted)
    }

    func cancel() {
        let isSent = mayBeCounted || (isUnderWay && easy?.hasSent == true)
        outcome = .cancelled(told("cancelled"), isSent: isSent)
    }

    private func told(_ words: Message) -> Message { "\(url.host): \(words.cut(HTTPLimits.wordsBytes))" }
}

/// A callback for libcurl. If it returns less than it was given, libcurl ends the transfer.
private typealias Taker = @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int

private let takeHeader: Taker = { line, size, count, context in
    guard let context else { return 0 }
    let request = Unmanaged<HTTPRequest>.fromOpaque(context).takeUnretainedValue()
    let line = Bytes(start: line, count: size * count)
    return request.answer.takeHeader(line) ? line.count : 0
}

private let takeBody: Taker = { data, size, count, context in
    guard let context else { return 0 }
    let request = Unmanaged<HTTPRequest>.fromOpaque(context).takeUnretainedValue()
    let piece = Bytes(start: data, count: size * count)
    return request.answer.takeBody(piece, status: request.easy?.status ?? 0) ? piece.count : 0
}

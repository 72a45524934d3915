internal import CSKANCurl
internal import CSKANSystem
internal import SKANCore

/// The result of an attempt: an answer, or the reason why there is none.
struct AttemptEnd {
    let code: CURLcode
    let status: Int
    let answer: HTTPAnswer
    /// Whether any byte of the request was sent.
    let isSent: Bool
    let isTimeOut: Bool
    /// Whether the connection was refused, or ended before the first byte of an answer.
    let isConnectionLost: Bool
    /// libcurl's description of the error.
    let words: Message
    private let isSuccess: Bool

    /// `refusesTLS`: whether the other side does not use TLS, or refused the handshake.
    init(
        _ code: CURLcode, status: Int, _ answer: HTTPAnswer, isSent: Bool, systemError: Int, refusesTLS: Bool,
        words: Message, _ settings: HTTPSettings
    ) {
        isSuccess = settings.successes.contains(status)
        self.code = code
        self.status = status
        self.answer = answer
        self.isSent = isSent
        self.words = words
        let wasCut = answer.hasTooLargeHeaders || answer.hasTooLargeBody
        isTimeOut = !wasCut && isTimeOutCode(code, systemError)
        isConnectionLost =
            answer.headerBytes + answer.bodyBytes == 0 && isLossCode(code, systemError) && !refusesTLS
    }

    /// Whether the attempt got a complete answer with one of `HTTPSettings.successes`.
    var isAnswer: Bool { code == CURLE_OK && isSuccess }

    var isTooLarge: Bool { isSuccess && answer.hasTooLargeBody }

    /// Whether another attempt can succeed.
    var isPassing: Bool { isTimeOut || isConnectionLost || (hasStatus && (status == 429 || 500...599 ~= status)) }

    /// Whether the server may have counted the request, because it was sent and not refused with a status 3xx or 4xx.
    var mayBeCounted: Bool { isSent && !(hasStatus && 300...499 ~= status) }

    private var hasStatus: Bool { !answer.hasTooLargeHeaders && (code == CURLE_OK || answer.hasTooLargeBody) }

    var message: Message {
        if answer.hasTooLargeHeaders { return "the answer's headers have more than \(HTTPLimits.headerBytes) bytes" }
        if isTooLarge { return "the answer's body has more than \(HTTPLimits.bodyBytes) bytes" }
        if code == CURLE_ABORTED_BY_CALLBACK { return "the kept connection was lost" }
        guard hasStatus else { return "\(words) (libcurl error \(code.rawValue))" }
        return 300...399 ~= status
            ? "HTTP status \(status), redirects are not followed" : "HTTP status \(status)"
    }
}

private func isTimeOutCode(_ code: CURLcode, _ systemError: Int) -> Bool {
    code == CURLE_OPERATION_TIMEDOUT || (code == CURLE_COULDNT_CONNECT && systemError == Int(ETIMEDOUT))
}

/// Whether libcurl's code can mean that the connection ended without an answer, possibly during the TLS handshake. In
/// the handshake the same codes can have other reasons too, which only libcurl's text shows. A certificate that does
/// not prove the server's identity has another code, CURLE_PEER_FAILED_VERIFICATION.
private func isLossCode(_ code: CURLcode, _ systemError: Int) -> Bool {
    switch code {
    case CURLE_COULDNT_CONNECT: [ECONNREFUSED, ECONNRESET].contains { systemError == Int($0) }
    case CURLE_SSL_CONNECT_ERROR, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2,
        CURLE_HTTP2_STREAM:
        true
    // `HTTPRequest.beginSending` refused to repeat the request after a kept connection was lost.
    case CURLE_ABORTED_BY_CALLBACK: true
    default: false
    }
}

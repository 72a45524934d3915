internal import CSKANCurl
internal import CSKANSystem
internal import SKANCore

/// How an attempt ended: with an answer, or by what hindered one.
struct AttemptEnd {
    let code: CURLcode
    let status: Int
    let answer: HTTPAnswer
    let isTimeOut: Bool
    /// libcurl's.
    let words: Message

    init(_ code: CURLcode, status: Int, _ answer: HTTPAnswer, systemError: Int, words: Message) {
        self.code = code
        self.status = status
        self.answer = answer
        self.words = words
        let wasCut = answer.hasTooLargeHeaders || answer.hasTooLargeBody
        isTimeOut = !wasCut && isTimeOutCode(code, systemError)
    }

    /// The one that was asked for.
    var isAnswer: Bool { code == CURLE_OK && status == 200 }

    var isTooLarge: Bool { status == 200 && answer.hasTooLargeBody }

    /// Another attempt may go better.
    var isPassing: Bool { isTimeOut || (hasStatus && (status == 429 || 500...599 ~= status)) }

    private var hasStatus: Bool { !answer.hasTooLargeHeaders && (code == CURLE_OK || answer.hasTooLargeBody) }

    var message: Message {
        if answer.hasTooLargeHeaders { return "the answer's headers have more than \(HTTPLimits.headerBytes) bytes" }
        if isTooLarge { return "the answer's body has more than \(HTTPLimits.bodyBytes) bytes" }
        guard hasStatus else { return "\(words) (libcurl error \(code.rawValue))" }
        return 300...399 ~= status
            ? "HTTP status \(status), redirects are not followed" : "HTTP status \(status)"
    }
}

private func isTimeOutCode(_ code: CURLcode, _ systemError: Int) -> Bool {
    code == CURLE_OPERATION_TIMEDOUT || (code == CURLE_COULDNT_CONNECT && systemError == Int(ETIMEDOUT))
}

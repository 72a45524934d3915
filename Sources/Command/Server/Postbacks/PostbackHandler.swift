import SKANCommandOutbox
import SKANCore
import SKANPostbackReceiving
import SKANPostbackVerification
import SKANSystem

/// Rules, "Receiving postbacks", over HTTP: postbacks of Apple's devices, and those that ad networks pass on.
struct PostbackHandler {
    let intake: PostbackIntake
    let log: ServerLog

    /// The routes. They run in the store's pool, because checking a signature takes time too.
    func routes(_ pool: WorkPool) -> [HTTPServerRoute] {
        [
            HTTPServerRoute(
                "POST", "/.well-known/skadnetwork/report-attribution/", name: "postbacks_skadnetwork", pool: pool,
                answerApple),
            HTTPServerRoute(
                "POST", "/.well-known/appattribution/report-attribution/", name: "postbacks_adattributionkit",
                pool: pool, answerApple),
            HTTPServerRoute("POST", "/postbacks/*", name: "postbacks_forwarded", pool: pool, answerForwarded),
        ]
    }

    /// Answers a postback from Apple's devices.
    private func answerApple(_ request: HTTPServerRequest) -> HTTPServerAnswer {
        answer(request, from: nil, intake.served.current)
    }

    private func answerForwarded(_ request: HTTPServerRequest) -> HTTPServerAnswer {
        let configuration = intake.served.current
        let name = Bytes(rebasing: request.path.dropFirst(forwardedPath.utf8CodeUnitCount))
        // If there is a header, only it counts. The item may be one byte longer than a token, so that a longer one does
        // not pass as a token.
        let token = request.bearer ?? request.item("token", atMost: NetworkToken.lengths.upperBound + 1) ?? []
        let network = token.withUnsafeBytes { configuration.networks?.admitted(name, token: $0) }
        guard let network else { return HTTPServerAnswer(403, postback: "forbidden") }
        return answer(request, from: network, configuration)
    }

    private func answer(
        _ request: HTTPServerRequest, from network: Network?, _ configuration: ServerConfiguration
    ) -> HTTPServerAnswer {
        let body = request.body
        if body.isEmpty { return HTTPServerAnswer(400, postback: "empty") }
        if body.count > PostbackRecord.bodyBytes { return HTTPServerAnswer(413, postback: "too_long") }
        do throws(Failure) {
            let end = try intake.take(body, from: network, of: request.client ?? .nobody, configuration)
            // It was not stored, so the sender should send it again later.
            let isNowhere = !end.isKept && end.outcome != .duplicate
            return isNowhere ? HTTPServerAnswer(429, postback: "not_kept") : HTTPServerAnswer(200, postback: end.name)
        } catch {
            return answer(to: error)
        }
    }

    private func answer(to failure: Failure) -> HTTPServerAnswer {
        switch failure.status {
        case .corruptRecord, .recordTooNew:
            log.event("record", failure.message)
            return HTTPServerAnswer(500, postback: "record")
        case .limitExceeded:
            return HTTPServerAnswer(503, postback: "memory")
        case .clock:
            log.event("clock", failure.message)
            return HTTPServerAnswer(503, postback: "clock")
        default:
            log.event("store", failure.message)
            return HTTPServerAnswer(503, postback: "store")
        }
    }
}

/// The path, which is followed by a network's name.
private var forwardedPath: StaticString { "/postbacks/" }

extension PostbackEnd {
    /// The name of the result; for a refused postback, of the reason.
    fileprivate var name: StaticString {
        switch outcome {
        case .counted: "counted"
        case .duplicate: "duplicate"
        case .conflict: "conflict"
        case .otherNetwork: "other_network"
        case .otherApp: "other_app"
        default: result.name
        }
    }
}

extension HTTPServerAnswer {
    fileprivate init(_ status: UInt32, postback outcome: StaticString) {
        let body: Message = "{\"outcome\":\"\(outcome)\"}\n"
        self.init(status, "application/json", body.utf8, outcome: outcome)
    }
}

import SKANCommandOutbox
import SKANCommandRows
import SKANCore
import SKANPostbackReceiving
import SKANPostbackVerification
import SKANSystem

/// Rules, "Receiving postbacks", over HTTP: postbacks that Apple's devices send, and postbacks that ad networks
/// forward.
struct PostbackHandler {
    let intake: PostbackIntake
    /// The maximum size of an unpacked body in bytes.
    let bodyBytes: Int
    let log: ServerLog

    /// Returns the routes. All of them run in the store's pool, because checking a signature takes time too.
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

    private func answerApple(_ request: HTTPServerRequest) -> HTTPServerAnswer {
        answer(request, from: nil, intake.served.current)
    }

    private func answerForwarded(_ request: HTTPServerRequest) -> HTTPServerAnswer {
        let configuration = intake.served.current
        var name = request.path.dropFirst(forwardedPath.utf8CodeUnitCount)
        if name.last == UInt8(ascii: "/") { name.removeLast() }
        // The query item is ignored if the headers have a bearer token. An item that is longer than a token may be is
        // never valid.
        let token = request.bearer ?? request.item("token", atMost: NetworkToken.lengths.upperBound + 1) ?? []
        let network = token.withUnsafeBytes { configuration.networks?.admitted(Bytes(rebasing: name), token: $0) }
        guard let network else { return HTTPServerAnswer(403, postback: "forbidden") }
        return answer(request, from: network, configuration)
    }

    /// Unpacks the body and answers. A packed body is recognised by its first bytes, as a file is, since senders forget
    /// the header, and proxies unpack a body but leave the header.
    private func answer(
        _ request: HTTPServerRequest, from network: Network?, _ configuration: ServerConfiguration
    ) -> HTTPServerAnswer {
        let sender = PostbackSender(network: network, client: request.client ?? .nobody)
        if request.coding == .unknown { return HTTPServerAnswer(415, postback: "unknown_encoding") }
        guard GzipMember.begins(request.body) else { return answer(request.body, from: sender, configuration) }
        do throws(UnpackingFault) {
            let body = try unpackedBody(request.body, atMost: bodyBytes)
            return body.withUnsafeBytes { answer($0, from: sender, configuration) }
        } catch {
            switch error {
            case .damaged: return HTTPServerAnswer(400, postback: "damaged_gzip")
            case .tooLarge: return HTTPServerAnswer(413, postback: "too_long")
            }
        }
    }

    private func answer(
        _ body: Bytes, from sender: PostbackSender, _ configuration: ServerConfiguration
    ) -> HTTPServerAnswer {
        let mayBeBlank = body.count <= PostbackRecord.bodyBytes
        if mayBeBlank, body.allSatisfy({ $0 == 0x20 || 0x09...0x0D ~= $0 }) {
            return HTTPServerAnswer(400, postback: "empty")
        }
        let list = PostbackList(body)
        if list.isSingle {
            let end = take(body, isTooLong: body.count > PostbackRecord.bodyBytes, from: sender, configuration)
            return HTTPServerAnswer(end.status, postback: end.outcome)
        }
        if list.hasTooMany { return HTTPServerAnswer(413, postback: "too_many") }
        return HTTPServerAnswer(listing: takeAll(list, from: sender, configuration))
    }

    /// Takes the postbacks of a list in order. Once the store has failed, the rest is not tried. The sender then has to
    /// send the whole list again, and postbacks that were already counted will be duplicates.
    private func takeAll(
        _ list: PostbackList, from sender: PostbackSender, _ configuration: ServerConfiguration
    ) -> [PostbackAnswer] {
        var ends: [PostbackAnswer] = []
        for item in list.items {
            if let last = ends.last, last.status >= 500 {
                ends.append(PostbackAnswer(last.status, "not_tried"))
            } else if item.text.isEmpty {
                ends.append(PostbackAnswer(200, PostbackResult.malformed.name))
            } else {
                ends.append(
                    item.text.withUnsafeBytes {
                        take($0, isTooLong: item.isTooLong, from: sender, configuration)
                    })
            }
        }
        return ends
    }

    private func take(
        _ body: Bytes, isTooLong: Bool, from sender: PostbackSender, _ configuration: ServerConfiguration
    ) -> PostbackAnswer {
        if isTooLong { return PostbackAnswer(413, "too_long") }
        do throws(Failure) {
            let end = try intake.take(body, from: sender.network, of: sender.client, configuration)
            // If no record holds the postback, the sender should send it again later.
            let isNowhere = !end.isKept && end.outcome != .duplicate
            return isNowhere ? PostbackAnswer(429, "not_kept") : PostbackAnswer(200, end.name)
        } catch {
            return answer(to: error)
        }
    }

    private func answer(to failure: Failure) -> PostbackAnswer {
        switch failure.status {
        case .corruptRecord, .recordTooNew:
            log.trouble("record", failure.message)
            return PostbackAnswer(500, "record")
        case .limitExceeded:
            return PostbackAnswer(503, "memory")
        case .clock:
            log.trouble("clock", failure.message)
            return PostbackAnswer(503, "clock")
        default:
            log.trouble("store", failure.message)
            return PostbackAnswer(503, "store")
        }
    }
}

/// The sender of postbacks: the network, which is nil for Apple's devices, and the client.
private struct PostbackSender {
    let network: Network?
    let client: ClientAddress
}

/// The network's name follows.
private var forwardedPath: StaticString { "/postbacks/" }

extension PostbackEnd {
    /// The name of the outcome; for a refused postback, the name of the reason.
    fileprivate var name: StaticString {
        switch outcome {
        case .counted: "counted"
        case .duplicate: "duplicate"
        default: RefusedReason(outcome, result).name
        }
    }
}

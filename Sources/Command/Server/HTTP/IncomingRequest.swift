internal import SKANCore
internal import SKANSystem

/// A request on its way in.
final class IncomingRequest {
    let target: [UInt8]
    private var body: [UInt8] = []
    private var bearer: [UInt8]?
    private var unlessETag: [UInt8]?
    var client: ClientAddress?
    private let start = microsecondsNow()
    /// The place of its route; nil where none fits its path.
    private(set) var route: Int?
    private(set) var refusal: HTTPRefusal?
    /// Whether its headers have been read.
    private(set) var isBegun = false
    var isAnswered = false
    /// What somebody has worked out meanwhile.
    var ready: HTTPServerAnswer?
    /// Chunked: the length of the body is not known in advance.
    private(set) var isChunked = false

    /// Path and query.
    init(_ target: Bytes) { self.target = [UInt8](target) }

    var bodyLength: Int { body.count }

    /// Nothing is read behind it. What is chunked is the last on its connection, too: the library takes chunks that
    /// others end elsewhere.
    var isLast: Bool { (refusal.map { !$0.isForNow || $0.limit != nil } ?? false) || isChunked }

    /// More comes behind the headers.
    private(set) var hasBody = false

    /// Refuses the request in place of an answer; a request that was refused before keeps its reason.
    func refuse(_ refusal: HTTPRefusal) { if self.refusal == nil { self.refusal = refusal } }

    /// The headers have come, nil where nobody can rely on what they mean.
    func begin(_ method: Bytes, _ head: RequestHead?, _ site: HTTPServerSite) {
        guard let head, target.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            isBegun = true
            refusal = .badRequest
            return
        }
        isChunked = head.isChunked
        bearer = head.bearer.map { [UInt8]($0) }
        unlessETag = head.unlessETag.map { [UInt8]($0) }
        hasBody = isChunked || (head.contentLength.map { wholeNumber(ofDigits: $0) != 0 } ?? false)
        begin(method, contentLength: head.contentLength, site)
    }

    /// What is refused is not read any further.
    func begin(_ method: Bytes, contentLength: Bytes?, _ site: HTTPServerSite) {
        isBegun = true
        (route, refusal) = withRequest(method) { site.route(method, $0.path) }
        if refusal == nil, let contentLength, wholeNumber(ofDigits: contentLength) ?? .max > site.bodyBytes {
            refusal = .tooLarge
        }
    }

    func take(_ part: Bytes, _ site: HTTPServerSite) {
        guard refusal == nil else { return }
        guard part.count <= site.bodyBytes - body.count else {
            refusal = .tooLarge
            return
        }
        body.append(contentsOf: part)
    }

    /// It is there, whole or refused.
    func answer(_ method: Bytes, _ site: HTTPServerSite) -> HTTPServerAnswer {
        withRequest(method) { request in
            let answer: HTTPServerAnswer =
                if let refusal {
                    HTTPServerAnswer(refusal: refusal)
                } else if let route {
                    site.routes[route].answer(request)
                } else {
                    HTTPServerAnswer(refusal: .notFound)
                }
            site.answered(route, request, answer, microsecondsNow() - start)
            return answer
        }
    }

    private func withRequest<Result>(_ method: Bytes, _ use: (HTTPServerRequest) -> Result) -> Result {
        target.withUnsafeBytes { target in
            body.withUnsafeBytes { body in
                use(
                    HTTPServerRequest(
                        method: method, target: target, body: body, bearer: bearer, unlessETag: unlessETag,
                        client: client))
            }
        }
    }
}

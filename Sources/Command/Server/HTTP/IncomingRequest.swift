import SKANCore
import SKANSystem

final class IncomingRequest {
    let target: [UInt8]
    private var body: [UInt8] = []
    private var bearer: [UInt8]?
    private var unlessETag: [UInt8]?
    private var id: [UInt8]?
    private var coding = ContentCoding.none
    var client: ClientAddress?
    private let start = microsecondsNow()
    /// The index of the request's route; nil if no route matches its path.
    private(set) var route: Int?
    private(set) var refusal: HTTPRefusal?
    /// Whether the request's headers have been read.
    private(set) var isBegun = false
    var isAnswered = false
    /// The answer of a pool's thread; nil until it is made.
    var ready: HTTPServerAnswer?
    private(set) var isChunked = false

    /// A request that the server sent to itself is neither logged nor counted.
    private let isOwn: Bool

    /// `target`: the path and query.
    init(_ target: Bytes, isOwn: Bool = false) {
        self.target = [UInt8](target)
        self.isOwn = isOwn
    }

    var bodyLength: Int { body.count }

    /// Whether no further request may be read from the connection. Chunked requests are last ones too, because the HTTP
    /// library accepts chunks whose end other programs would see elsewhere.
    var isLast: Bool { (refusal.map { !$0.isForNow || $0.limit != nil } ?? false) || isChunked }

    private(set) var hasBody = false

    /// A request that was refused before keeps the first reason.
    func refuse(_ refusal: HTTPRefusal) { if self.refusal == nil { self.refusal = refusal } }

    /// Handles the headers; `head` is nil if their meaning is ambiguous.
    func begin(_ method: Bytes, _ head: RequestHead?, _ site: HTTPServerSite) {
        guard let head, target.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            isBegun = true
            refusal = .badRequest
            return
        }
        isChunked = head.isChunked
        bearer = head.bearer.map { [UInt8]($0) }
        unlessETag = head.unlessETag.map { [UInt8]($0) }
        id = head.id.map { [UInt8]($0) }
        coding = head.coding
        hasBody = isChunked || (head.contentLength.map { wholeNumber(ofDigits: $0) != 0 } ?? false)
        begin(method, contentLength: head.contentLength, site)
    }

    /// Finds the route, and refuses bodies that are too large. The body of a refused request is not read.
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

    /// Called once the request has arrived or was refused.
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
            if !isOwn { site.answered(route, request, answer, microsecondsNow() - start) }
            return answer
        }
    }

    private func withRequest<Result>(_ method: Bytes, _ use: (HTTPServerRequest) -> Result) -> Result {
        target.withUnsafeBytes { target in
            body.withUnsafeBytes { body in
                use(
                    HTTPServerRequest(
                        method: method, target: target, body: body, bearer: bearer, unlessETag: unlessETag,
                        coding: coding, id: id, client: client))
            }
        }
    }
}

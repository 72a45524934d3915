import CSKANMicrohttpd
import CSKANSystem
import SKANCore
import SKANSystem
import Synchronization

/// The callbacks of libmicrohttpd, called on its threads. Their context is the server's `ServerTraffic`.
enum MicrohttpdCalls {
    static let admit: MHD_AcceptPolicyCallback = { context, address, _ in
        guard let traffic = traffic(context) else { return .NO }
        if ownFamily(address) { return .YES }
        return traffic.admits(ClientAddress(address)) ? .YES : .NO
    }

    /// Called after the request line. Copies the whole target, since the library would keep its query only split into
    /// items.
    static let begin:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) ->
            UnsafeMutableRawPointer? = { context, target, connection in
                guard let traffic = traffic(context) else { return nil }
                traffic.load.underWay.add(1, ordering: .relaxed)
                let asking = connection.flatMap { peer($0) }
                let request = IncomingRequest(text(target), isOwn: asking?.isOwn ?? false)
                asking?.reading = request
                skan_mhd_hide_query(target)
                return Unmanaged.passRetained(request).toOpaque()
            }

    /// Called after the headers, for each part of the body, and after its end.
    static let handle: MHD_AccessHandlerCallback = { context, connection, _, method, version, data, size, state in
        guard let traffic = traffic(context), let connection, let size, let request = incoming(state?.pointee) else {
            return .NO
        }
        if !request.isBegun {
            let head = head(connection, request, method, version)
            request.begin(text(method), head, traffic.site)
            request.client = traffic.client(head, of: peer(connection))
            peer(connection)?.noteRead()
            if let crowding = traffic.crowding(peer(connection)) {
                request.refuse(crowding)
            } else if head != nil, !traffic.admitsRequest(of: request.client) {
                request.refuse(.tooMany)
            }
            if request.refusal == nil || (request.refusal == .tooMany && !request.hasBody) { return .YES }
        } else if size.pointee > 0 {
            request.take(Bytes(start: data, count: size.pointee), traffic.site)
            peer(connection)?.noteRead()
            size.pointee = 0
            return request.refusal == nil ? .YES : breakOff(request, text(method), connection, traffic)
        }
        let peer = peer(connection)
        peer?.waitingSince.store(0, ordering: .relaxed)
        peer?.reading = nil
        if let ready = request.ready { return send(ready, request, connection, peer, traffic) }
        if request.refusal == nil, let pool = request.route.flatMap({ traffic.site.routes[$0].pool }) {
            let client = request.client?.client ?? .nobody
            if pool.hasRoom(for: client) {
                pool.add(QueuedRequest(request, text(method), connection, traffic.site), of: client)
                return .YES
            }
            request.refuse(.busy)
        }
        return send(request.answer(text(method), traffic.site), request, connection, peer, traffic)
    }

    static let end: MHD_RequestCompletedCallback = { context, connection, state, reason in
        guard let traffic = traffic(context), let connection, let request = incoming(state?.pointee) else { return }
        let peer = peer(connection)
        if let peer, !request.isAnswered,
            reason == .REQUEST_TERMINATED_TIMEOUT_REACHED || peer.wasCut.load(ordering: .relaxed)
        {
            traffic.bidFarewell(peer, .timeout)
            peer.wasAnswered = true
        }
        peer?.waitingSince.store(microsecondsNow(), ordering: .relaxed)
        peer?.reading = nil
        traffic.load.underWay.subtract(1, ordering: .relaxed)
        Unmanaged.passUnretained(request).release()
        state?.pointee = nil
    }

    static let watch: MHD_NotifyConnectionCallback = { context, connection, state, code in
        guard let traffic = traffic(context), let connection, let state else { return }
        if code == .CONNECTION_NOTIFY_STARTED {
            let peer = ServerPeer(
                connection, socket: skan_mhd_socket(connection), skan_mhd_address(connection))
            state.pointee = Unmanaged.passRetained(peer).toOpaque()
            traffic.begin(peer)
            return
        }
        guard let context = state.pointee else { return }
        let peer = Unmanaged<ServerPeer>.fromOpaque(context).takeRetainedValue()
        state.pointee = nil
        if !peer.wasAnswered, !peer.wasSentTo {
            // libmicrohttpd does not say why it closes a connection. If a request is unreadable, it does so at once.
            // Its timeout for a silent client can begin before `start`, so less than the whole timeout may have passed
            // since `start`.
            let wasSilent = microsecondsNow() - peer.start >= traffic.idle / 2
            traffic.bidFarewell(peer, wasSilent ? .timeout : .badRequest)
        }
        traffic.end(peer)
    }

    /// libmicrohttpd logs a message before it refuses a request by itself, but the message does not say which request.
    /// All its other messages are about clients that leave early, and need no handling.
    static let listen: MHD_LogCallback = { context, format, _ in
        guard text(format).starts(with: ("Error processing request" as StaticString).bytes) else { return }
        traffic(context)?.refuseUnreadable()
    }
}

private func send(
    _ answer: HTTPServerAnswer, _ request: IncomingRequest, _ connection: OpaquePointer, _ peer: ServerPeer?,
    _ traffic: ServerTraffic
) -> MHD_Result {
    let made = answer.body.withUnsafeBytes { body in
        MHD_create_response_from_buffer(
            body.count, UnsafeMutableRawPointer(mutating: body.baseAddress), .RESPMEM_MUST_COPY)
    }
    guard let made else { return .NO }
    defer { MHD_destroy_response(made) }
    addHeaders(made, answer, request, traffic)
    peer?.consume(skan_mhd_header_size(connection) + request.bodyLength)
    // All pipelined requests are answered, but after a refused one nothing more is read.
    let isOver = traffic.isEnding.load(ordering: .relaxed) && !(peer?.hasMore ?? true)
    if isOver || request.isLast || peer.map({ traffic.isOld($0) || $0.limit != nil }) ?? false {
        MHD_add_response_header(made, "Connection", "close")
    }
    let result = MHD_queue_response(connection, answer.status, made)
    peer?.wasAnswered = true
    request.isAnswered = true
    return result
}

private func addHeaders(
    _ made: OpaquePointer, _ answer: HTTPServerAnswer, _ request: IncomingRequest, _ traffic: ServerTraffic
) {
    MHD_add_response_header(made, "Cache-Control", "no-store")
    if let type = answer.contentType { MHD_add_response_header(made, "Content-Type", type.cString) }
    if request.refusal == .methodNotAllowed, let route = request.route {
        MHD_add_response_header(made, "Allow", traffic.site.routes[route].method.cString)
    }
    // The codings that would have been accepted (RFC 9110, 15.5.16).
    if answer.status == 415 { MHD_add_response_header(made, "Accept-Encoding", "gzip") }
    if answer.retryAfter > 0 {
        let seconds: Message = "\(answer.retryAfter)"
        MHD_add_response_header(made, "Retry-After", CText(seconds.utf8).characters)
    }
    if let etag = answer.etag { MHD_add_response_header(made, "ETag", CText(etag.utf8).characters) }
}

/// Aborts a request in the middle of its body. The library accepts no answer at that point and would read the whole
/// body.
private func breakOff(
    _ request: IncomingRequest, _ method: Bytes, _ connection: OpaquePointer, _ traffic: ServerTraffic
) -> MHD_Result {
    guard let refusal = request.refusal, let peer = peer(connection) else { return .NO }
    _ = request.answer(method, traffic.site)
    peer.say(refusal)
    peer.wasAnswered = true
    peer.reading = nil
    request.isAnswered = true
    return .NO
}

private func head(
    _ connection: OpaquePointer, _ request: IncomingRequest, _ method: UnsafePointer<CChar>?,
    _ version: UnsafePointer<CChar>?
) -> RequestHead? {
    guard let method, let version, version > method else { return nil }
    return RequestHead(
        Bytes(start: method, count: skan_mhd_header_size(connection)), targetLength: request.target.count,
        versionStart: version - method)
}

private func traffic(_ context: UnsafeMutableRawPointer?) -> ServerTraffic? {
    context.map { Unmanaged<ServerTraffic>.fromOpaque($0).takeUnretainedValue() }
}

private func incoming(_ state: UnsafeMutableRawPointer?) -> IncomingRequest? {
    state.map { Unmanaged<IncomingRequest>.fromOpaque($0).takeUnretainedValue() }
}

private func peer(_ connection: OpaquePointer) -> ServerPeer? {
    skan_mhd_peer(connection).map { Unmanaged<ServerPeer>.fromOpaque($0).takeUnretainedValue() }
}

private func text(_ text: UnsafePointer<CChar>?) -> Bytes { Bytes(start: text, count: text.map { strlen($0) } ?? 0) }

internal import CSKANMicrohttpd
internal import CSKANSystem
internal import SKANCore
internal import SKANSystem
internal import Synchronization

/// What libmicrohttpd calls, on its threads. The context is the server's traffic.
enum MicrohttpdCalls {
    /// The request line has come: the library would cut the query into items and keep no whole one.
    static let begin:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) ->
            UnsafeMutableRawPointer? = { context, target, _ in
                guard let traffic = traffic(context) else { return nil }
                traffic.load.underWay.add(1, ordering: .relaxed)
                return Unmanaged.passRetained(IncomingRequest(text(target))).toOpaque()
            }

    /// Called when the headers have come, for each part of the body, and at the end of it.
    static let handle: MHD_AccessHandlerCallback = { context, connection, _, method, _, data, size, state in
        guard let traffic = traffic(context), let connection, let size, let request = incoming(state?.pointee) else {
            return .NO
        }
        if !request.isBegun {
            let length = MHD_lookup_connection_value(connection, .HEADER_KIND, "Content-Length")
            request.begin(text(method), contentLength: length.map { text($0) }, traffic.site)
            if request.refusal == nil { return .YES }
        } else if size.pointee > 0 {
            request.take(Bytes(start: data, count: size.pointee), traffic.site)
            size.pointee = 0
            return .YES
        }
        let peer = peer(connection)
        peer?.waitingSince.store(0, ordering: .relaxed)
        let answer = request.answer(text(method), traffic.site)
        return send(answer, request, connection, peer, traffic)
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
        traffic.load.underWay.subtract(1, ordering: .relaxed)
        Unmanaged.passUnretained(request).release()
        state?.pointee = nil
    }

    static let watch: MHD_NotifyConnectionCallback = { context, connection, state, code in
        guard let traffic = traffic(context), let connection, let state else { return }
        if code == .CONNECTION_NOTIFY_STARTED {
            let peer = ServerPeer(socket: skan_mhd_socket(connection))
            state.pointee = Unmanaged.passRetained(peer).toOpaque()
            traffic.begin(peer)
            return
        }
        guard let context = state.pointee else { return }
        let peer = Unmanaged<ServerPeer>.fromOpaque(context).takeRetainedValue()
        state.pointee = nil
        if !peer.wasAnswered, !peer.wasSentTo {
            let wasSilent = microsecondsNow() &- peer.start >= traffic.idle
            traffic.bidFarewell(peer, wasSilent ? .timeout : .badRequest)
        }
        traffic.end(peer)
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
    if let type = answer.contentType { MHD_add_response_header(made, "Content-Type", type.cString) }
    if request.refusal == .methodNotAllowed, let route = request.route {
        MHD_add_response_header(made, "Allow", traffic.site.routes[route].method.cString)
    }
    peer?.consume(skan_mhd_header_size(connection) &+ request.bodyLength)
    // Requests that were sent one behind the other are all answered; what is refused is not read any further.
    let isLast = traffic.isEnding.load(ordering: .relaxed) && !(peer?.hasMore ?? true)
    if isLast || request.refusal != nil { MHD_add_response_header(made, "Connection", "close") }
    let result = MHD_queue_response(connection, answer.status, made)
    peer?.wasAnswered = true
    request.isAnswered = true
    return result
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

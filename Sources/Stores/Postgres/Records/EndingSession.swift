internal import CSKANPQ
internal import CSKANSystem
internal import SKANStorePool
internal import SKANSystem

/// A session whose statement timed out and that has not ended yet. The server works on until the statement is
/// cancelled, and does not look at the session's socket meanwhile.
///
/// First the server is asked to cancel, and only then is the session closed, because a pooler no longer knows which
/// session to cancel once its client has left. When the server closes the connection, its process has ended. When a
/// pooler closes the connection, that proves nothing, so behind a pooler the answer to the statement is awaited.
final class EndingSession {
    /// The longest time that the server may be silent, in milliseconds. A server that does not even answer a request to
    /// cancel is gone or out of reach; without this limit, it would hold the place until the system notices.
    private static var silence: Int64 { 10_000 }

    /// The address of the server.
    let server: [UInt8]
    private let isPooled: Bool
    /// libpq's session; nil once it is closed.
    private var link: OpaquePointer?
    /// A duplicate of the session's socket, used once the session is closed; -1 if there is none.
    private var socket: Int32 = -1
    private var latest = millisecondsNow() + EndingSession.silence
    private var place: HeldPlace?
    /// The request to cancel; nil once a thread has taken it to send it. This property and `isAnswered` are guarded by
    /// the lock of `EndingSessions`.
    private var request: OpaquePointer?
    /// Whether the server has answered the request to cancel.
    private var isAnswered = false

    /// Takes ownership of a session of libpq.
    init(_ link: OpaquePointer?, isPooled: Bool, _ place: HeldPlace?) {
        self.link = link
        self.isPooled = isPooled
        self.place = place
        server = peer(of: PQsocket(link))
        if PQstatus(link) == CONNECTION_OK { request = PQgetCancel(link) }
        // A session that was not open yet has nothing to cancel.
        if request == nil { finishSending() }
    }

    deinit { PQfreeCancel(request) }

    var hasRequest: Bool { request != nil }

    func takeRequest() -> OpaquePointer? {
        defer { request = nil }
        return request
    }

    /// Notes that the request to cancel has ended, with or without an answer of the server. If the connection has
    /// ended, nothing more can come from the server after an answer, so the place is still freed after `silence`.
    func requestEnded(isAnswered: Bool) {
        if link != nil || socket >= 0 { self.isAnswered = isAnswered }
        if !isPooled { finishSending() }
    }

    /// Tells the server that nothing more will be sent. The server closes its end of the connection when its process
    /// has ended.
    private func finishSending() {
        guard link != nil else { return }
        socket = system_duplicate(PQsocket(link))
        PQfinish(link)
        link = nil
        if socket >= 0 { shutdown(socket, Int32(SHUT_WR)) }
    }

    /// The socket to poll. Its descriptor is -1 while only the answer to the request to cancel is awaited.
    var awaited: pollfd {
        let read = link == nil ? socket : isPooled ? PQsocket(link) : -1
        return pollfd(fd: read, events: Int16(truncatingIfNeeded: POLLIN), revents: 0)
    }

    /// Whether there is nothing left to wait for.
    func isOver() -> Bool {
        if link != nil {
            if isPooled { readAnswer() }
            return link != nil && isLate
        }
        return socket < 0 ? isLate : hasEnded()
    }

    private var isLate: Bool { !isAnswered && millisecondsNow() >= latest }

    /// Closes the session once the pooler has sent the answer to its statement. If the connection ends without that
    /// answer, nobody can tell what the server is doing, so the place is held for `silence` from then on.
    private func readAnswer() {
        PQflush(link)
        guard PQconsumeInput(link) != 0, PQstatus(link) == CONNECTION_OK else {
            PQfinish(link)
            link = nil
            isAnswered = false
            latest = millisecondsNow() + EndingSession.silence
            return
        }
        while PQisBusy(link) == 0 && PQtransactionStatus(link) == PQTRANS_ACTIVE {
            let result = PQgetResult(link)
            let isCopy = isCopying(PQresultStatus(result))
            PQclear(result)
            if isCopy { break }
        }
        if PQtransactionStatus(link) != PQTRANS_ACTIVE { finishSending() }
    }

    /// Whether the server has closed the connection. Anything that it still sends is ignored.
    private func hasEnded() -> Bool {
        let room = 4096
        return withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) { bytes in
            while true {
                let length = recv(socket, bytes.baseAddress, room, Int32(MSG_DONTWAIT))
                if length > 0 { continue }
                let mayCome = length < 0 && (systemError == EAGAIN || systemError == EINTR)
                return !mayCome || isLate
            }
        }
    }

    /// Closes the session and frees its place.
    func end() {
        PQfinish(link)
        link = nil
        closeSocket()
        place?.free()
        place = nil
    }

    /// Closes the child's descriptor of a session that belongs to its parent, without telling the server.
    func disown() {
        if link != nil { CSKANSystem.close(PQsocket(link)) }
        closeSocket()
    }

    private func closeSocket() {
        if socket >= 0 { CSKANSystem.close(socket) }
        socket = -1
    }
}

private func isCopying(_ status: ExecStatusType) -> Bool {
    status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH
}

/// The address of a socket's peer; empty if it has none.
private func peer(of socket: Int32) -> [UInt8] {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutableBytes(of: &address) { bytes in
        let room = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
        guard let room, getpeername(socket, room, &size) == 0 else { return [] }
        return [UInt8](bytes.prefix(Int(size)))
    }
}

internal import CSKANPQ
internal import CSKANSystem
internal import SKANStorePool
internal import SKANSystem

/// A session whose statement timed out, on its way out: what it was doing goes on at the server until somebody cancels
/// it, and a server does not look at its socket meanwhile.
///
/// First the server is asked to cancel, then the session is closed: a pooler forgets a client that has left, and with
/// it whom to cancel. The end of the connection proves that the server's process has ended. Behind a pooler it proves
/// nothing, but the answer to the statement does.
final class EndingSession {
    /// The longest silence of the server, in milliseconds. One that does not even answer a request to cancel has
    /// gone, or is out of reach, and would hold the place for as long as the system takes to notice.
    private static var silence: Int64 { 10_000 }

    /// The address of the server.
    let server: [UInt8]
    private let isPooled: Bool
    /// libpq's session until it is closed; then nil.
    private var link: OpaquePointer?
    /// A duplicate of the session's socket, from then on; -1: there is none.
    private var socket: Int32 = -1
    private var latest = millisecondsNow() + EndingSession.silence
    private var place: HeldPlace?
    /// nil once the request has been taken to be made. This and what follows is under the lock of the list.
    private var request: OpaquePointer?
    /// The server has answered the request.
    private var isAnswered = false

    /// Takes over a session of libpq's.
    init(_ link: OpaquePointer?, isPooled: Bool, _ place: HeldPlace?) {
        self.link = link
        self.isPooled = isPooled
        self.place = place
        server = peer(of: PQsocket(link))
        if PQstatus(link) == CONNECTION_OK { request = PQgetCancel(link) }
        // Before it was opened there is nothing to cancel.
        if request == nil { finishSending() }
    }

    deinit { PQfreeCancel(request) }

    var hasRequest: Bool { request != nil }

    func takeRequest() -> OpaquePointer? {
        defer { request = nil }
        return request
    }

    /// The request is over, whether the server has answered it or not.
    func requestEnded(isAnswered: Bool) {
        self.isAnswered = isAnswered
        if !isPooled { finishSending() }
    }

    /// Tells the server that nothing more comes. Its end of the connection is closed when its process has ended.
    private func finishSending() {
        guard link != nil else { return }
        socket = system_duplicate(PQsocket(link))
        PQfinish(link)
        link = nil
        if socket >= 0 { shutdown(socket, Int32(SHUT_WR)) }
    }

    /// No socket while only the answer to the request is waited for.
    var awaited: pollfd {
        let read = link == nil ? socket : isPooled ? PQsocket(link) : -1
        return pollfd(fd: read, events: Int16(truncatingIfNeeded: POLLIN), revents: 0)
    }

    /// Whether nothing is to be waited for any more.
    func isOver() -> Bool {
        if link != nil {
            if isPooled { readAnswer() }
            return link != nil && isLate
        }
        return socket < 0 ? isLate : hasEnded()
    }

    private var isLate: Bool { !isAnswered && millisecondsNow() >= latest }

    /// Closes the session once the pooler has sent the answer to its statement. Where the connection ends without it,
    /// nobody can tell what the server does: it is given the time of a silence.
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

    /// What the server still sends is of no interest.
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

    /// Closes this process's descriptor of a session of its parent's, without a word to the server.
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

/// The address of a socket's other side; empty where it has none.
private func peer(of socket: Int32) -> [UInt8] {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutableBytes(of: &address) { bytes in
        let room = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
        guard let room, getpeername(socket, room, &size) == 0 else { return [] }
        return [UInt8](bytes.prefix(Int(size)))
    }
}

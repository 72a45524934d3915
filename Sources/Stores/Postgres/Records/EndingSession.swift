internal import CSKANPQ
internal import CSKANSystem
internal import SKANStorePool
internal import SKANSystem

/// A session whose statement timed out, on its way out: what it was doing goes on at the server until somebody cancels
/// it, and a server does not look at its socket meanwhile.
final class EndingSession {
    /// The longest silence of the server, in milliseconds. One that does not even answer a request to cancel has
    /// gone, or is out of reach, and would hold the place for as long as the system takes to notice.
    private static var silence: Int64 { 10_000 }

    /// The session's socket: libpq's own descriptor of it is closed.
    private let socket: Int32
    private let latest = millisecondsNow() + EndingSession.silence
    private var place: HeldPlace?
    /// nil once the request has been taken to be made. Under the lock of the list.
    private var request: OpaquePointer?
    /// The server has answered the request. Under the same lock.
    var isAnswered = false

    /// nil where there is no descriptor left.
    convenience init?(_ link: OpaquePointer?, _ place: HeldPlace?) {
        let socket = system_duplicate(PQsocket(link))
        guard socket >= 0 else { return nil }
        self.init(socket, link, place)
    }

    private init(_ socket: Int32, _ link: OpaquePointer?, _ place: HeldPlace?) {
        self.socket = socket
        if PQstatus(link) == CONNECTION_OK { request = PQgetCancel(link) }
        self.place = place
    }

    deinit { PQfreeCancel(request) }

    func takeRequest() -> OpaquePointer? {
        defer { request = nil }
        return request
    }

    /// Tells the server that nothing more comes. Its end of the connection is closed when its process has ended.
    func finishSending() { shutdown(socket, Int32(SHUT_WR)) }

    var awaited: pollfd { pollfd(fd: socket, events: Int16(truncatingIfNeeded: POLLIN), revents: 0) }

    /// Whether nothing is to be waited for any more. What the server still sends is of no interest.
    func isOver() -> Bool {
        let room = 4096
        return withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) { bytes in
            while true {
                let length = recv(socket, bytes.baseAddress, room, Int32(MSG_DONTWAIT))
                if length > 0 { continue }
                let mayCome = length < 0 && (systemError == EAGAIN || systemError == EINTR)
                return !mayCome || (!isAnswered && millisecondsNow() >= latest)
            }
        }
    }

    func close() { CSKANSystem.close(socket) }

    /// Closes it and frees its place.
    func end() {
        close()
        place?.free()
        place = nil
    }
}

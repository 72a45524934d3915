internal import CSKANSystem
internal import SKANCore
internal import SKANSystem
internal import Synchronization

/// A connection, as its client is seen. What is not atomic belongs to the thread that has the connection.
final class ServerPeer {
    /// The library's; as long as the peer is open.
    let connection: OpaquePointer
    /// The thread that has the connection.
    let thread = pthread_self()
    let socket: Int32
    /// nil where the library does not know.
    let address: ClientAddress?
    /// All times are `microsecondsNow`.
    let start: UInt64
    /// The time since which it waits for the rest of a request; 0: it is there, and being answered.
    let waitingSince: Atomic<UInt64>
    /// Whether the connection was cut, because it took too long.
    let wasCut = Atomic<Bool>(false)
    /// Whether it was answered by a response, whole or not, at least once.
    var wasAnswered = false
    /// Bytes that were read as requests, at most.
    private var consumed: UInt64 = 0
    /// The request whose rest the library still reads.
    var reading: IncomingRequest?
    /// Bytes that the library had read when it last told of the request.
    private(set) var readBefore: UInt64 = 0
    /// The place among all that are open.
    var place = 0
    /// The limit that it is above; nil: its requests are served. Changed under the lock of all peers alone.
    var limit: ConnectionLimit?

    init(_ connection: OpaquePointer, socket: Int32, _ address: ClientAddress?) {
        self.connection = connection
        self.socket = socket
        self.address = address
        start = microsecondsNow()
        waitingSince = Atomic(start)
    }

    /// Bytes that the library has read; nil where the kernel does not tell.
    var read: UInt64? {
        var received: UInt64 = 0
        var sent: UInt64 = 0
        let unread = system_unread(socket)
        guard system_tcp_counts(socket, &received, &sent), unread >= 0 else { return nil }
        // The kernel may count what it holds before it counts it as received.
        return received - min(UInt64(unread), received)
    }

    /// The library has told of the headers of a request, or of a part of its body. What is between those parts is seen
    /// of chunks alone.
    func noteRead() {
        if reading?.isChunked ?? false { readBefore = read ?? .max }
    }

    func consume(_ bytes: Int) { consumed += UInt64(bytes) }

    /// Whether more has come than the requests that were read. If the system cannot say, the answer is true.
    var hasMore: Bool {
        var received: UInt64 = 0
        var sent: UInt64 = 0
        return !system_tcp_counts(socket, &received, &sent) || received > consumed
    }

    /// Whether the library has sent an answer by itself, as it does if it could read enough of a request to see an
    /// error.
    var wasSentTo: Bool {
        var received: UInt64 = 0
        var sent: UInt64 = 0
        return !system_tcp_counts(socket, &received, &sent) || sent > 0 || system_unsent(socket) != 0
    }

    /// Says why the connection is closed behind this, if the socket takes it at once.
    func say(_ farewell: HTTPRefusal) {
        let line: Message = "HTTP/1.1 \(farewell.status) \(farewell.reason)\r\n"
        let body = HTTPServerAnswer.errorBody(farewell.reason)
        let headers: Message = "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
        let text: Message = "\(line)Connection: close\r\n\(headers)\r\n\(body)"
        _ = text.utf8.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL)) }
    }
}

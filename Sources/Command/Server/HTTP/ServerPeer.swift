import CSKANSystem
import SKANCore
import SKANSystem
import Synchronization

/// A client's connection. Only the connection's thread may use variables that are not atomic, except where noted.
final class ServerPeer {
    /// The library's connection, valid while the peer is open.
    let connection: OpaquePointer
    /// The thread that serves the connection.
    let thread = pthread_self()
    let socket: Int32
    /// nil if the library does not know the address.
    let address: ClientAddress?
    /// Whether the server itself made the connection, to find out whether it answers.
    let isOwn: Bool
    /// Times in this class are on the clock of `microsecondsNow`.
    let start: UInt64
    /// The time since which the connection waits for a request or the rest of one; 0 while a request is being answered.
    let waitingSince: Atomic<UInt64>
    /// Whether the server stopped reading, because the client was too slow or to make room for others.
    let wasCut = Atomic<Bool>(false)
    /// Whether at least one response was sent, completely or not.
    var wasAnswered = false
    /// An upper bound for the number of bytes of the requests answered so far.
    private var consumed: UInt64 = 0
    /// The request that the library is still reading.
    var reading: IncomingRequest?
    /// The number of bytes that the library had read at its last callback for `reading`; `.max` if the kernel does not
    /// report it.
    private(set) var readBefore: UInt64 = 0
    /// The connection's index among all open ones. Changed only under the lock of all peers.
    var place = 0
    /// The limit that the connection exceeds; nil if its requests are served. Changed only under the lock of all peers.
    var limit: ConnectionLimit?

    init(_ connection: OpaquePointer, socket: Int32, _ address: UnsafePointer<sockaddr>?) {
        self.connection = connection
        self.socket = socket
        self.address = ClientAddress(address)
        isOwn = ownFamily(address)
        start = microsecondsNow()
        waitingSince = Atomic(start)
    }

    /// The number of bytes that the library has read; nil if the kernel does not report it.
    var read: UInt64? {
        var received: UInt64 = 0
        var sent: UInt64 = 0
        let unread = system_unread(socket)
        guard system_tcp_counts(socket, &received, &sent), unread >= 0 else { return nil }
        // The kernel may count bytes as unread before it counts them as received.
        return received - min(UInt64(unread), received)
    }

    /// Updates `readBefore` when the library calls back with headers or a part of the body. Only needed for chunks,
    /// whose size lines the library does not report.
    func noteRead() {
        if reading?.isChunked ?? false { readBefore = read ?? .max }
    }

    func consume(_ bytes: Int) { consumed += UInt64(bytes) }

    /// Whether the client has sent bytes beyond the requests read so far. Over TCP this compares the bytes received
    /// with those of the requests. For a Unix socket the system only says whether bytes are unread, which is enough,
    /// because clients there do not send a request before the previous one is answered.
    var hasMore: Bool {
        var received: UInt64 = 0
        var sent: UInt64 = 0
        guard system_tcp_counts(socket, &received, &sent) else { return system_unread(socket) > 0 }
        return received > consumed
    }

    /// Whether the library has sent an answer by itself, as it does when it sees an error in a request; true if the
    /// kernel does not report it.
    var wasSentTo: Bool {
        var received: UInt64 = 0
        var sent: UInt64 = 0
        return !system_tcp_counts(socket, &received, &sent) || sent > 0 || system_unsent(socket) != 0
    }

    /// Sends the reason for closing the connection, if the socket accepts it at once.
    func say(_ farewell: HTTPRefusal) {
        let line: Message = "HTTP/1.1 \(farewell.status) \(farewell.reason)\r\n"
        let body = HTTPServerAnswer.errorBody(farewell.reason)
        let headers: Message = "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
        let text: Message = "\(line)Connection: close\r\n\(headers)\r\n\(body)"
        _ = text.utf8.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL)) }
    }
}

/// Whether an address is that of the server's own connections to itself.
func ownFamily(_ address: UnsafePointer<sockaddr>?) -> Bool {
    address.map { Int32($0.pointee.sa_family) == AF_UNSPEC } ?? false
}

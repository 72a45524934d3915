internal import CSKANSystem
internal import SKANCore
internal import SKANSystem
internal import Synchronization

/// A connection, as its client is seen. What is not atomic belongs to the thread that has the connection.
final class ServerPeer {
    let socket: Int32
    /// nil where the library does not know.
    let address: ClientAddress?
    /// All times are `microsecondsNow`.
    let start: UInt64
    /// For the rest of a request; 0: it is there, and being answered.
    let waitingSince: Atomic<UInt64>
    /// It took too long.
    let wasCut = Atomic<Bool>(false)
    /// By a response, whole or not, at least once.
    var wasAnswered = false
    /// Bytes that were read as requests, at most.
    private var consumed: UInt64 = 0
    /// Among all that are open.
    var place = 0
    /// The limit that it is above; nil: its requests are served. Changed under the lock of all peers alone.
    var limit: ConnectionLimit?

    init(socket: Int32, _ address: ClientAddress?) {
        self.socket = socket
        self.address = address
        start = microsecondsNow()
        waitingSince = Atomic(start)
    }

    func consume(_ bytes: Int) { consumed &+= UInt64(bytes) }

    /// Whether more has come than the requests that were read. What cannot be told counts as more.
    var hasMore: Bool {
        var received: UInt64 = 0
        var sent: UInt64 = 0
        return !system_tcp_counts(socket, &received, &sent) || received > consumed
    }

    /// Whether the library has answered by itself, as it does where it can read enough of a request to see what is
    /// wrong.
    var wasSentTo: Bool {
        var received: UInt64 = 0
        var sent: UInt64 = 0
        return !system_tcp_counts(socket, &received, &sent) || sent > 0 || system_unsent(socket) != 0
    }

    /// Says why the connection is closed behind this, if the socket takes it at once.
    func say(_ farewell: HTTPRefusal) {
        let line: Message = "HTTP/1.1 \(farewell.status) \(farewell.reason)\r\n"
        let text: Message = "\(line)Connection: close\r\nContent-Length: 0\r\n\r\n"
        _ = text.utf8.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL)) }
    }
}

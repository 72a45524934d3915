internal import CSKANSystem
internal import SKANCore
internal import SKANSystem
internal import Synchronization

/// A connection, as its client is seen. What is not atomic belongs to the thread that has the connection.
final class ServerPeer {
    let socket: Int32
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
    fileprivate var place = 0

    init(socket: Int32) {
        self.socket = socket
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
        let line: Message = "HTTP/1.1 \(farewell.rawValue) \(farewell.reason)\r\n"
        let text: Message = "\(line)Connection: close\r\nContent-Length: 0\r\n\r\n"
        _ = text.utf8.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL)) }
    }
}

/// The connections that are open, for whoever looks at all of them.
final class ServerPeers: @unchecked Sendable {
    private let lock = Lock()
    private var peers: [ServerPeer] = []

    func add(_ peer: ServerPeer) {
        lock.hold {
            peer.place = peers.count
            peers.append(peer)
        }
    }

    func remove(_ peer: ServerPeer) {
        lock.hold {
            guard let last = peers.popLast(), last !== peer else { return }
            peers[peer.place] = last
            last.place = peer.place
        }
    }

    /// Whether something came to one of them that nobody has read.
    var hasUnread: Bool {
        lock.hold { peers.contains { system_unread($0.socket) > 0 } }
    }

    /// Ends the reading of those that take longer for a request: the library's time-out begins anew with every byte, so
    /// that whoever sends one now and then would keep a connection for ever. To the library they have hung up; they can
    /// still be told why.
    func cut(slowerThan longest: UInt64) {
        let now = microsecondsNow()
        lock.hold {
            for peer in peers {
                let since = peer.waitingSince.load(ordering: .relaxed)
                guard since != 0, since <= now, now &- since >= longest,
                    !peer.wasCut.exchange(true, ordering: .relaxed)
                else { continue }
                shutdown(peer.socket, Int32(SHUT_RD))
            }
        }
    }
}

internal import CSKANCurl
internal import CSKANSystem

/// The sockets that libcurl uses, and the events it waits for on each.
struct WatchedSockets {
    private struct Watched {
        let socket: Int32
        var events: Int16 = 0
        /// Whether the socket belongs to a connection. Only such sockets are opened and closed by this type.
        var isOpen = false
    }

    private var sockets: [Watched] = []

    private func index(of socket: Int32) -> Int? { sockets.firstIndex { $0.socket == socket } }

    private mutating func indexAdding(_ socket: Int32) -> Int {
        if let index = index(of: socket) { return index }
        sockets.append(Watched(socket: socket))
        return sockets.count - 1
    }

    private mutating func forget(_ index: Int) {
        sockets.swapAt(index, sockets.count - 1)
        sockets.removeLast()
    }

    /// Opens a socket for a connection. The connection ends if sent bytes are not acknowledged for
    /// `unansweredMilliseconds`. Returns CURL_SOCKET_BAD if no socket can be opened.
    mutating func open(_ address: curl_sockaddr, unansweredMilliseconds: UInt32) -> Int32 {
        let opened = socket(address.family, address.socktype | Int32(SOCK_CLOEXEC.rawValue), address.protocol)
        guard opened >= 0 else { return CURL_SOCKET_BAD }
        // Ends a connection whose other side is gone, so that later requests do not use it.
        var unanswered = unansweredMilliseconds
        setsockopt(
            opened, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &unanswered, socklen_t(MemoryLayout<UInt32>.size))
        sockets[indexAdding(opened)].isOpen = true
        return opened
    }

    mutating func close(_ socket: Int32) -> Int32 {
        if let index = index(of: socket) { forget(index) }
        return CSKANSystem.close(socket)
    }

    /// `what`: the events that libcurl waits for, a CURL_POLL_ constant.
    mutating func watch(_ socket: Int32, _ what: Int32) {
        guard what != CURL_POLL_REMOVE else {
            guard let index = index(of: socket) else { return }
            if sockets[index].isOpen { sockets[index].events = 0 } else { forget(index) }
            return
        }
        var events: Int32 = 0
        if what & CURL_POLL_IN != 0 { events |= POLLIN }
        if what & CURL_POLL_OUT != 0 { events |= POLLOUT }
        sockets[indexAdding(socket)].events = Int16(truncatingIfNeeded: events)
    }

    func addPolled(to polled: inout [pollfd]) {
        for watched in sockets where watched.events != 0 {
            polled.append(pollfd(fd: watched.socket, events: watched.events, revents: 0))
        }
    }

    /// Replaces the parent's connections with /dev/null, in the child of a fork.
    func disown() {
        let nothing = system_open("/dev/null", O_RDWR | O_CLOEXEC, 0)
        for watched in sockets where watched.isOpen {
            if nothing < 0 || dup2(nothing, watched.socket) < 0 {
                _ = CSKANSystem.close(watched.socket)
            } else {
                system_close_on_exec(watched.socket)
            }
        }
        if nothing >= 0 { _ = CSKANSystem.close(nothing) }
    }
}

/// Converts the events that `poll` reported to CURL_CSELECT_ constants.
func selected(_ events: Int16) -> Int32 {
    let events = Int32(events)
    var what: Int32 = 0
    if events & POLLIN != 0 { what |= CURL_CSELECT_IN }
    if events & POLLOUT != 0 { what |= CURL_CSELECT_OUT }
    if events & (POLLERR | POLLHUP | POLLNVAL) != 0 { what |= CURL_CSELECT_ERR }
    return what
}

internal import CSKANSystem
internal import SKANCore
internal import SKANSystem

/// A connection error, described without the server's name.
struct RedisTrouble: Error {
    let words: Message
    /// Whether the error is that the deadline has passed.
    let isLate: Bool

    init(_ words: Message, isLate: Bool = false) {
        self.words = words
        self.isLate = isLate
    }
}

/// Calls on non-blocking sockets, which wait until a deadline at most.
enum RedisSocket {
    /// Waits for events of a socket. Returns the events that happened; 0 at the deadline.
    static func wait(_ socket: Int32, for events: Int32, until deadline: Int64) -> Int32 {
        var waiting = pollfd(fd: socket, events: Int16(truncatingIfNeeded: events), revents: 0)
        withUnsafeMutablePointer(to: &waiting) { waiting in
            wait(UnsafeMutableBufferPointer(start: waiting, count: 1), until: deadline)
        }
        return Int32(waiting.revents)
    }

    /// Waits for events of any of these sockets, and sets `revents` of each. At the deadline there are no events.
    static func wait(_ places: UnsafeMutableBufferPointer<pollfd>, until deadline: Int64) {
        while true {
            let left = min(max(deadline - millisecondsNow(), 0), 3_600_000)
            let ready = poll(places.baseAddress, nfds_t(places.count), Int32(truncatingIfNeeded: left))
            if ready > 0 || ready == 0 && left == 0 { return }
            if ready < 0 && systemError != EINTR {
                for index in places.indices { places[index].revents = Int16(truncatingIfNeeded: POLLERR) }
                return
            }
        }
    }

    // MARK: Connecting

    static func connect(_ place: RedisPlace, by deadline: Int64) throws(RedisTrouble) -> Int32 {
        guard millisecondsNow() < deadline else { throw unconnected(ETIMEDOUT) }
        switch place {
        case .path(let path): return try connect(path, deadline)
        case .host(let host, let port): return try connect(host, port, deadline)
        }
    }

    private static func unconnected(_ error: Int32) -> RedisTrouble {
        RedisTrouble("connect: \(Message(systemError: error))")
    }

    private static func connect(_ path: CText, _ deadline: Int64) throws(RedisTrouble) -> Int32 {
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &place.sun_path) { room in
            // The length of the path was checked when the URL was read.
            path.characters.withUnsafeBytes { room.copyMemory(from: Bytes(rebasing: $0.prefix(room.count))) }
        }
        let size = MemoryLayout<sockaddr_un>.size
        let opened = withUnsafeBytes(of: &place) { place in
            open(AF_UNIX, place.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(size), deadline)
        }
        if opened.error != 0 { throw unconnected(opened.error) }
        return opened.socket
    }

    /// Connects to a host. Each of its addresses gets a share of the time that is left.
    private static func connect(_ host: CText, _ port: UInt32, _ deadline: Int64) throws(RedisTrouble) -> Int32 {
        let found = try addresses(host, port)
        defer { freeaddrinfo(found) }
        var left: Int64 = 0
        var each: UnsafeMutablePointer<addrinfo>? = found
        while let place = each {
            left += 1
            each = place.pointee.ai_next
        }
        var error = EADDRNOTAVAIL
        each = found
        while let place = each?.pointee {
            let now = millisecondsNow()
            let share = deadline > now ? now + (deadline - now) / left : now
            let opened = open(place.ai_family, place.ai_addr, place.ai_addrlen, share)
            if opened.error == 0 { return opened.socket }
            error = opened.error
            left -= 1
            each = place.ai_next
        }
        throw unconnected(error)
    }

    private static func addresses(
        _ host: CText, _ port: UInt32
    ) throws(RedisTrouble) -> UnsafeMutablePointer<addrinfo> {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = streams
        hints.ai_flags = AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let service = CText(("\(port)" as Message).utf8)
        let failed = getaddrinfo(host.characters, service.characters, &hints, &found)
        if failed == 0, let found { return found }
        let words = failed == EAI_SYSTEM ? Message(systemError: systemError) : Message(gai_strerror(failed))
        throw RedisTrouble("connect: the host's name: \(words)")
    }

    /// Opens a socket and connects it. `error` is 0, or an errno if that failed.
    private static func open(
        _ family: Int32, _ place: UnsafePointer<sockaddr>?, _ size: socklen_t, _ deadline: Int64
    ) -> (socket: Int32, error: Int32) {
        let made = socket(family, streams | openingFlags, 0)
        guard made >= 0 else { return (-1, systemError) }
        if family != AF_UNIX {
            var on: Int32 = 1
            let size = socklen_t(MemoryLayout<Int32>.size)
            setsockopt(made, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
            setsockopt(made, SOL_SOCKET, SO_KEEPALIVE, &on, size)
        }
        let error = connect(made, place, size, deadline)
        if error != 0 { close(made) }
        return (made, error)
    }

    /// Returns 0, or an errno.
    private static func connect(
        _ made: Int32, _ place: UnsafePointer<sockaddr>?, _ size: socklen_t, _ deadline: Int64
    ) -> Int32 {
        if CSKANSystem.connect(made, place, size) == 0 { return 0 }
        // If the queue of a Unix socket is full, connect fails with EAGAIN, and no event shows when there is room.
        while systemError == EAGAIN {
            if millisecondsNow() >= deadline { return ETIMEDOUT }
            var pause = timespec(tv_sec: 0, tv_nsec: 2_000_000)
            nanosleep(&pause, nil)
            if CSKANSystem.connect(made, place, size) == 0 { return 0 }
        }
        if systemError != EINPROGRESS && systemError != EINTR { return systemError }
        if wait(made, for: POLLOUT, until: deadline) == 0 { return ETIMEDOUT }
        var error: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(made, SOL_SOCKET, SO_ERROR, &error, &length) == 0 ? error : systemError
    }

    private static var streams: Int32 { Int32(SOCK_STREAM.rawValue) }
    private static var openingFlags: Int32 { Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue) }
}

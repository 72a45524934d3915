import CSKANSystem
import SKANCore
import SKANSystem

/// A connection over which a server sends a request to itself, to find out whether it answers.
enum OwnConnection {
    /// Whether the start of an answer arrives in time. `serve` hands the other end of the connection to the server. If
    /// the server has too many connections, it closes this one, and another is tried.
    static func isAnswered(withinMilliseconds limit: Int64, serve: (AcceptedConnection) -> Void) -> Bool {
        let end = millisecondsNow() + limit
        while !isAnswered(until: end, serve) {
            if millisecondsNow() >= end { return false }
            usleep(10_000)
        }
        return true
    }

    private static func isAnswered(until end: Int64, _ serve: (AcceptedConnection) -> Void) -> Bool {
        var (asking, served): (Int32, Int32) = (-1, -1)
        guard system_connection(&asking, &served) == 0 else { return false }
        defer { close(asking) }
        let request = ("GET /healthz HTTP/1.1\r\nHost: skan\r\nConnection: close\r\n\r\n" as StaticString).bytes
        _ = send(asking, request.baseAddress, request.count, Int32(MSG_NOSIGNAL))
        serve(AcceptedConnection(own: served))
        var waiting = pollfd(fd: asking, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, Int32(clamping: max(end - millisecondsNow(), 0))) > 0 else { return false }
        var start: UInt32 = 0
        let count = recv(asking, &start, MemoryLayout<UInt32>.size, 0)
        return count > 0 && withUnsafeBytes(of: start) { $0.starts(with: ("HTTP" as StaticString).bytes) }
    }
}

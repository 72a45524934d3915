internal import Synchronization

package import SKANCore

/// A server that listens. One library is behind it; nothing else knows which.
package protocol HTTPServer: AnyObject {
    var port: UInt16 { get }

    /// Takes no connection any more, answers what has come, for at most so many milliseconds, and ends. Once.
    func stop(graceMilliseconds: UInt64)
}

package struct HTTPServerSettings {
    /// Numeric, IPv4 or IPv6.
    package var address: Message = "127.0.0.1"
    /// 0 is any free one.
    package var port: UInt16 = 8080
    package var threads: UInt32 = 1
    /// At most, in all.
    package var connections: UInt32 = 1024
    /// 0 is no limit.
    package var connectionsPerPeer: UInt32 = 0
    /// For how long a connection may say nothing; twice as long for a request.
    package var idleSeconds: UInt32 = 15
    /// Of request line and headers, about.
    package var headerBytes = 65_536

    package init() {}
}

/// What a server has under way.
package final class HTTPServerLoad: Sendable {
    let open = Atomic<UInt32>(0)
    let underWay = Atomic<UInt32>(0)

    package init() {}

    package var connections: UInt32 { open.load(ordering: .relaxed) }
    package var requests: UInt32 { underWay.load(ordering: .relaxed) }
}

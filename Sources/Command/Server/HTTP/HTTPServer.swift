internal import Synchronization

package import SKANCore

/// A server that listens. One library is behind it; nothing else knows which.
package protocol HTTPServer: AnyObject {
    var port: UInt16 { get }

    /// Stops accepting connections, answers the requests that have arrived, for at most so many milliseconds, and ends.
    /// Called once.
    func stop(graceMilliseconds: UInt64)
}

package struct HTTPServerSettings {
    /// The numeric address to listen on, IPv4 or IPv6.
    package var address: Message = "127.0.0.1"
    /// The port; 0 is any free one.
    package var port: UInt16 = 8080
    package var threads: UInt32 = 1
    /// The greatest number of connections, in all, whose requests are served.
    package var connections: UInt32 = 1024
    /// Connections that a client has at a time; 0 is no limit.
    package var connectionsPerPeer: UInt32 = 32
    /// Requests of each client in a second; 0 is no limit.
    package var rate: UInt32 = 0
    /// The proxies whose connections are not limited, and which report the client's address.
    package var proxies = TrustedProxies()
    /// A connection that is older ends with the next answer.
    package var ageSeconds: UInt32 = 600
    /// The number of seconds for which a connection may say nothing; twice as long for a request.
    package var idleSeconds: UInt32 = 15
    /// The size of request line and headers, about.
    package var headerBytes = 65_536

    package init() {}

    /// Connections above the limits that are kept until their request is answered 503, at most; those beyond are
    /// closed.
    package var mostCrowded: UInt32 { max(connections / 4, 1) }

    /// The greatest number of such connections of one client.
    var mostCrowdedOfClient: UInt32 { max(mostCrowded / 4, 1) }
}

/// What a server has under way.
package final class HTTPServerLoad: Sendable {
    let open = Atomic<UInt32>(0)
    let underWay = Atomic<UInt32>(0)
    let turnedAway = Atomic<UInt64>(0)
    let dropped = Atomic<UInt64>(0)

    package init() {}

    package var connections: UInt32 { open.load(ordering: .relaxed) }
    package var requests: UInt32 { underWay.load(ordering: .relaxed) }
    /// Connections above a limit: they were answered 503, or closed where many of them were open.
    package var refused: UInt64 { turnedAway.load(ordering: .relaxed) }
    /// Idle connections that were ended to make room.
    package var madeRoom: UInt64 { dropped.load(ordering: .relaxed) }
}

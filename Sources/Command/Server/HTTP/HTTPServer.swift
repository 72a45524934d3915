import Synchronization

package import SKANCore

/// An HTTP server. Only its implementation depends on a certain HTTP library.
package protocol HTTPServer: AnyObject {
    /// The places where the server listens: "http://127.0.0.1:8080", "unix:/run/skan.sock". Several are joined by
    /// "and".
    var name: Message { get }

    /// Sends a request to the server itself, and returns whether it is answered in time. Must not be called after
    /// `stop`.
    func answers(withinMilliseconds limit: Int64) -> Bool

    /// Stops accepting connections, takes at most this many milliseconds to answer the requests that have arrived, and
    /// ends. Connections that wait in a service manager's sockets are left to the next process. May be called once.
    func stop(graceMilliseconds: UInt64)
}

package struct HTTPServerSettings {
    package var places = [ListeningPlace.tcp("127.0.0.1", port: 8080)]
    /// The file permissions of a Unix socket that the server makes.
    package var socketMode: UInt32 = 0o660
    package var threads: UInt32 = 1
    /// The maximum total number of connections whose requests are served.
    package var connections: UInt32 = 1024
    /// The maximum number of concurrent connections of a client; 0 means no limit.
    package var connectionsPerPeer: UInt32 = 32
    /// The maximum number of requests per second of each client; 0 means no limit.
    package var rate: UInt32 = 0
    /// Proxies whose connections are not limited, and whose headers name the client's address.
    package var proxies = TrustedProxies()
    /// The age in seconds from which a connection is closed after its next answer.
    package var ageSeconds: UInt32 = 600
    /// The number of seconds for which a connection may be silent; a request may take twice as long.
    package var idleSeconds: UInt32 = 15
    /// The approximate maximum size of the request line and headers in bytes.
    package var headerBytes = 65_536

    package init() {}

    /// The maximum number of connections above the limits that are kept until their requests are answered with 503.
    /// Further connections are closed.
    package var mostCrowded: UInt32 { max(connections / 4, 1) }

    /// The maximum number of one client's connections above the limits that are kept until they are answered.
    var mostCrowdedOfClient: UInt32 { max(mostCrowded / 4, 1) }
}

/// Counters of a server's connections and requests.
package final class HTTPServerLoad: Sendable {
    let open = Atomic<UInt32>(0)
    let underWay = Atomic<UInt32>(0)
    let turnedAway = Atomic<UInt64>(0)
    let dropped = Atomic<UInt64>(0)

    package init() {}

    package var connections: UInt32 { open.load(ordering: .relaxed) }
    package var requests: UInt32 { underWay.load(ordering: .relaxed) }
    /// The number of connections above a limit. They were answered with 503, or closed if there were many.
    package var refused: UInt64 { turnedAway.load(ordering: .relaxed) }
    /// The number of idle connections that were closed to make room.
    package var madeRoom: UInt64 { dropped.load(ordering: .relaxed) }
}

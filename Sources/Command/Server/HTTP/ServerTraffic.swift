internal import SKANSystem
internal import Synchronization

/// What the threads of a server share.
final class ServerTraffic: Sendable {
    let site: HTTPServerSite
    let load: HTTPServerLoad
    /// For how long a connection may say nothing, in microseconds.
    let idle: UInt64
    let peers = ServerPeers()
    /// Connections since the start.
    let accepted = Atomic<UInt32>(0)
    let isEnding = Atomic<Bool>(false)

    init(_ site: HTTPServerSite, _ load: HTTPServerLoad, idleSeconds: UInt32) {
        self.site = site
        self.load = load
        idle = UInt64(idleSeconds) &* 1_000_000
    }

    func begin(_ peer: ServerPeer) {
        load.open.add(1, ordering: .relaxed)
        accepted.add(1, ordering: .relaxed)
        peers.add(peer)
    }

    func end(_ peer: ServerPeer) {
        peers.remove(peer)
        load.open.subtract(1, ordering: .relaxed)
    }

    /// Whether nothing is under way: no request, nothing that came and was not read.
    var isQuiet: Bool { load.requests == 0 && !peers.hasUnread }

    func cutSlowPeers() { peers.cut(slowerThan: 2 &* idle) }

    /// A client is told why its connection is closed: its request stayed half-sent, or cannot be read at all.
    func bidFarewell(_ peer: ServerPeer, _ farewell: HTTPRefusal) {
        peer.say(farewell)
        let unread = HTTPServerRequest(method: none, target: none, body: none)
        site.answered(nil, unread, HTTPServerAnswer(farewell: farewell), microsecondsNow() &- peer.start)
    }
}

private var none: Bytes { Bytes(start: nil, count: 0) }

import CSKANSystem
import SKANSystem
import Synchronization

/// All open connections. Thread-safe.
final class ServerPeers: @unchecked Sendable {
    /// The maximum number of served connections.
    private let most: Int
    /// The maximum number of one client's connections; 0 means no limit.
    private let mostOfClient: UInt32
    private let proxies: TrustedProxies
    private let lock = Lock()
    private var peers: [ServerPeer] = []
    /// The number of connections that are served and were not cut.
    private var served = 0
    /// The number of served connections of each client, including cut ones. Trusted proxies are not counted.
    private var counts = ClientCounts()
    /// The number of connections above a limit. Each is answered with 503 once its request has arrived, and then
    /// closed.
    private var crowded = 0
    private var crowdedCounts = ClientCounts()
    private let mostCrowded: Int
    private let mostCrowdedOfClient: UInt32

    init(_ settings: HTTPServerSettings) {
        most = Int(settings.connections)
        mostOfClient = settings.connectionsPerPeer
        mostCrowded = Int(settings.mostCrowded)
        mostCrowdedOfClient = settings.mostCrowdedOfClient
        proxies = settings.proxies
    }

    /// Returns nil if a new connection from an address may be accepted. Otherwise returns the limit that the connection
    /// exceeds; it must be closed without an answer, because too many others already wait for their 503.
    func closes(_ address: ClientAddress?) -> ConnectionLimit? {
        let client = counted(address)
        return lock.hold {
            guard let limit = limit(of: client) else { return nil }
            if crowded >= mostCrowded { return limit }
            return crowdedCounts[address?.client] >= mostCrowdedOfClient ? limit : nil
        }
    }

    /// Returns the number of other connections that were closed to make room.
    func add(_ peer: ServerPeer) -> Int {
        let client = counted(peer.address)
        return lock.hold {
            let dropped = limit(of: client) == .ofClient ? 0 : makeRoom(for: 1)
            peer.place = peers.count
            peers.append(peer)
            enter(peer, client)
            return dropped
        }
    }

    /// Returns the limit that a connection exceeds now; nil if its request is served, possibly because another
    /// connection has ended.
    func limit(of peer: ServerPeer) -> ConnectionLimit? {
        guard peer.limit != nil else { return nil }
        let client = counted(peer.address)
        return lock.hold {
            if !peer.wasCut.load(ordering: .relaxed) {
                leave(peer, client)
                enter(peer, client)
            }
            return peer.limit
        }
    }

    func remove(_ peer: ServerPeer) {
        let client = counted(peer.address)
        lock.hold {
            leave(peer, client)
            guard let last = peers.popLast(), last !== peer else { return }
            peers[peer.place] = last
            last.place = peer.place
        }
    }

    /// Whether any connection has received bytes that the server has not read yet.
    var hasUnread: Bool {
        lock.hold { peers.contains { system_unread($0.socket) > 0 } }
    }

    /// The connections that the calling thread serves.
    var ofThisThread: [ServerPeer] {
        let thread = pthread_self()
        return lock.hold { peers.filter { pthread_equal($0.thread, thread) != 0 } }
    }

    /// Stops reading from connections that have waited for `longest` microseconds or more for a request or the rest of
    /// one. The library restarts its timeout with every byte, so a client that sends a byte now and then could
    /// otherwise keep a connection for ever.
    func cut(slowerThan longest: UInt64) {
        let now = microsecondsNow()
        lock.hold {
            for peer in peers {
                let since = peer.waitingSince.load(ordering: .relaxed)
                if since != 0, since <= now, now - since >= longest { cut(peer) }
            }
        }
    }

    /// If all places are taken, closes connections that are idle by now, but were busy when the last one was added.
    /// Returns the number of connections closed.
    func makeRoomWhereFull() -> Int {
        lock.hold { served >= most ? makeRoom(for: 0) : 0 }
    }

    /// Returns the client for whom connections from this address count; nil if they are not limited.
    private func counted(_ address: ClientAddress?) -> ClientAddress? {
        guard mostOfClient > 0, let address, !proxies.contains(address) else { return nil }
        return address.client
    }

    // MARK: The lock is held

    /// Returns the limit that one more connection of a client would exceed; nil if there is room. The last tenth of all
    /// places is reserved for clients with few connections.
    private func limit(of client: ClientAddress?) -> ConnectionLimit? {
        if client != nil, counts[client] >= mostOfClient { return .ofClient }
        return served >= (hasFew(client) ? most : most - most / 10) ? .ofAll : nil
    }

    private func hasFew(_ client: ClientAddress?) -> Bool { client == nil || counts[client] < few }

    private func enter(_ peer: ServerPeer, _ client: ClientAddress?) {
        peer.limit = limit(of: client)
        if peer.limit == nil {
            served += 1
            counts.add(client)
        } else {
            crowded += 1
            crowdedCounts.add(peer.address?.client)
        }
    }

    private func leave(_ peer: ServerPeer, _ client: ClientAddress?) {
        if peer.limit == nil {
            if !peer.wasCut.load(ordering: .relaxed) { served -= 1 }
            counts.remove(client)
        } else {
            crowded -= 1
            crowdedCounts.remove(peer.address?.client)
        }
    }

    /// If nine tenths of all places are taken, closes the connections that have waited longest for a request, until 15
    /// % of the places are free. Clients with many connections lose theirs first. Connections of other clients are not
    /// closed if they have just arrived. Returns the number of connections closed. `more`: the number of connections
    /// that are about to be added, which count as open.
    private func makeRoom(for more: Int) -> Int {
        let open = served + more
        guard open * 10 >= most * 9 else { return 0 }
        let now = microsecondsNow()
        var idle: [(isOfFew: Bool, since: UInt64, place: Int)] = []
        for peer in peers where peer.limit == nil && !peer.wasCut.load(ordering: .relaxed) {
            let since = peer.waitingSince.load(ordering: .relaxed)
            let client = counted(peer.address)
            let isOfFew = client != nil && hasFew(client)
            if since != 0, !isOfFew || since + arrival < now { idle.append((isOfFew, since, peer.place)) }
        }
        idle.sort { $0.isOfFew == $1.isOfFew ? $0.since < $1.since : !$0.isOfFew }
        var count = max(open - most * 85 / 100, 1)
        let wanted = count
        // Connections with an unread request are kept, so that it is answered.
        for each in idle where count > 0 && system_unread(peers[each.place].socket) <= 0 {
            cut(peers[each.place])
            count -= 1
        }
        return wanted - count
    }

    /// Shuts down reading, so that the library believes the client has hung up, but the client can still be told why.
    /// The library may read a byte that arrives at that moment instead of the end, so a connection that is still open
    /// is cut again.
    private func cut(_ peer: ServerPeer) {
        let wasCut = peer.wasCut.exchange(true, ordering: .relaxed)
        if !wasCut, peer.limit == nil { served -= 1 }
        shutdown(peer.socket, Int32(SHUT_RD))
    }
}

/// The number of connections below which a client counts as having few.
private var few: UInt32 { 4 }

/// The time in microseconds for which a new connection counts as just arrived, since its request may still be on its
/// way.
private var arrival: UInt64 { 100_000 }

/// The number of connections of each client that has any.
private struct ClientCounts {
    private var counts: [ClientAddress: UInt32] = [:]

    subscript(client: ClientAddress?) -> UInt32 { client.flatMap { counts[$0] } ?? 0 }

    mutating func add(_ client: ClientAddress?) {
        if let client { counts[client, default: 0] += 1 }
    }

    mutating func remove(_ client: ClientAddress?) {
        guard let client, let count = counts[client] else { return }
        counts[client] = count > 1 ? count - 1 : nil
    }
}

internal import CSKANSystem
internal import SKANSystem
internal import Synchronization

/// The connections that are open, for whoever looks at all of them. Any thread.
final class ServerPeers: @unchecked Sendable {
    /// The greatest number of connections in all.
    private let most: Int
    /// The greatest number of one client's connections; 0 is no limit.
    private let mostOfClient: UInt32
    private let proxies: TrustedProxies
    private let lock = Lock()
    private var peers: [ServerPeer] = []
    /// Those that are served and were not cut.
    private var served = 0
    /// How many of those that are served each client has, cut ones among them. Trusted proxies are none.
    private var counts = ClientCounts()
    /// The number of connections above a limit: each is answered with 503 when its request has come, and closed.
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

    /// Whether one more from there would be closed without an answer, and the limit that it would be above: so many
    /// already wait for an answer of 503.
    func closes(_ address: ClientAddress?) -> ConnectionLimit? {
        let client = counted(address)
        return lock.hold {
            guard let limit = limit(of: client) else { return nil }
            if crowded >= mostCrowded { return limit }
            return crowdedCounts[address?.client] >= mostCrowdedOfClient ? limit : nil
        }
    }

    /// Answers how many others are ended for it.
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

    /// The limit that it is above; nil where its request is served, as when another connection has ended meanwhile.
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

    /// Whether something came to one of them that nobody has read.
    var hasUnread: Bool {
        lock.hold { peers.contains { system_unread($0.socket) > 0 } }
    }

    /// Those whose connection the calling thread has.
    var ofThisThread: [ServerPeer] {
        let thread = pthread_self()
        return lock.hold { peers.filter { pthread_equal($0.thread, thread) != 0 } }
    }

    /// Ends the reading of those that take longer for a request: the library's time-out begins anew with every byte, so
    /// that whoever sends one now and then would keep a connection for ever.
    func cut(slowerThan longest: UInt64) {
        let now = microsecondsNow()
        lock.hold {
            for peer in peers {
                let since = peer.waitingSince.load(ordering: .relaxed)
                if since != 0, since <= now, now - since >= longest { cut(peer) }
            }
        }
    }

    /// Makes room where all places are taken, by peers that were busy when the last one came; answers how many are
    /// ended.
    func makeRoomWhereFull() -> Int {
        lock.hold { served >= most ? makeRoom(for: 0) : 0 }
    }

    /// nil where its connections are not limited.
    private func counted(_ address: ClientAddress?) -> ClientAddress? {
        guard mostOfClient > 0, let address, !proxies.contains(address) else { return nil }
        return address.client
    }

    // MARK: The lock is held

    /// The limit that one more connection would exceed. The last tenth of all places is for clients that have few
    /// connections.
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

    /// When nine tenths of all places are taken, closes the connections that have waited the longest for a request,
    /// until 15 % of the places are free. Connections of clients that have many go first; of the others, none that has
    /// just come is closed.
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
        // A request that has come and was not read yet is answered.
        for each in idle where count > 0 && system_unread(peers[each.place].socket) <= 0 {
            cut(peers[each.place])
            count -= 1
        }
        return wanted - count
    }

    /// Makes a connection look to the library as if its client had hung up; the client can still be told why. A byte
    /// that comes at that moment is read in place of the end, so a connection that is still there is cut again.
    private func cut(_ peer: ServerPeer) {
        let wasCut = peer.wasCut.exchange(true, ordering: .relaxed)
        if !wasCut, peer.limit == nil { served -= 1 }
        shutdown(peer.socket, Int32(SHUT_RD))
    }
}

/// Connections of a client that are few.
private var few: UInt32 { 4 }

/// Microseconds in which the request of a new connection comes.
private var arrival: UInt64 { 100_000 }

/// Numbers of connections, of those clients that have any.
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

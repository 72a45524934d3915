internal import CSKANSystem
internal import SKANSystem
internal import Synchronization

/// The connections that are open, for whoever looks at all of them. Any thread.
final class ServerPeers: @unchecked Sendable {
    /// At most, in all.
    private let most: Int
    /// Of one client; 0 is no limit.
    private let mostOfClient: UInt32
    private let proxies: TrustedProxies
    private let lock = Lock()
    private var peers: [ServerPeer] = []
    /// How many each client has. Trusted proxies are none.
    private var counts: [ClientAddress: UInt32] = [:]
    /// Those that were cut and are not gone yet.
    private var ending = 0

    init(_ settings: HTTPServerSettings) {
        most = Int(settings.connections)
        mostOfClient = settings.connectionsPerPeer
        proxies = settings.proxies
    }

    /// Whether there may be one more from there.
    func admits(_ address: ClientAddress) -> Bool {
        if mostOfClient == 0 || proxies.contains(address) { return true }
        return lock.hold { counts[address.client] ?? 0 } < mostOfClient
    }

    /// Answers how many others are ended for it.
    func add(_ peer: ServerPeer) -> Int {
        let client = counted(peer)
        return lock.hold {
            peer.place = peers.count
            peers.append(peer)
            if let client { counts[client, default: 0] += 1 }
            return makeRoom(for: peer)
        }
    }

    func remove(_ peer: ServerPeer) {
        let client = counted(peer)
        lock.hold {
            if let client, let count = counts[client] { counts[client] = count > 1 ? count - 1 : nil }
            if peer.wasCut.load(ordering: .relaxed) { ending -= 1 }
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
    /// that whoever sends one now and then would keep a connection for ever.
    func cut(slowerThan longest: UInt64) {
        let now = microsecondsNow()
        lock.hold {
            for peer in peers {
                let since = peer.waitingSince.load(ordering: .relaxed)
                if since != 0, since <= now, now &- since >= longest { cut(peer) }
            }
        }
    }

    /// Where all places are taken, by peers that were busy when the last one came; answers how many are ended.
    func makeRoomWhereFull() -> Int {
        lock.hold { peers.count - ending >= most ? makeRoom(for: nil) : 0 }
    }

    private func counted(_ peer: ServerPeer) -> ClientAddress? {
        guard mostOfClient > 0, let address = peer.address, !proxies.contains(address) else { return nil }
        return address.client
    }

    // MARK: The lock is held

    /// When nine tenths of all places are taken, those go that have waited for a request the longest, until a tenth and
    /// a half are free.
    private func makeRoom(for newest: ServerPeer?) -> Int {
        let open = peers.count - ending
        guard open * 10 >= most * 9 else { return 0 }
        var idle: [(since: UInt64, place: Int)] = []
        for peer in peers where peer !== newest && !peer.wasCut.load(ordering: .relaxed) {
            let since = peer.waitingSince.load(ordering: .relaxed)
            if since != 0 { idle.append((since, peer.place)) }
        }
        idle.sort { $0.since < $1.since }
        var count = max(open - most * 85 / 100, 1)
        let wanted = count
        // A request that has come and was not read yet is answered.
        for each in idle where count > 0 && system_unread(peers[each.place].socket) <= 0 {
            cut(peers[each.place])
            count -= 1
        }
        return wanted - count
    }

    /// To the library it has hung up; it can still be told why.
    private func cut(_ peer: ServerPeer) {
        guard !peer.wasCut.exchange(true, ordering: .relaxed) else { return }
        ending += 1
        shutdown(peer.socket, Int32(SHUT_RD))
    }
}

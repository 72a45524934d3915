import CSKANMicrohttpd
import CSKANSystem
import SKANCore
import SKANSystem
import Synchronization

/// The state that the threads of a server share.
final class ServerTraffic: @unchecked Sendable {
    let site: HTTPServerSite
    let load: HTTPServerLoad
    /// The number of microseconds for which a connection may be silent.
    let idle: UInt64
    let peers: ServerPeers
    private let age: UInt64
    private let connections: UInt32
    /// Whether every connection comes through `add`; otherwise the library accepts some by itself.
    private let isFed: Bool
    private let proxies: TrustedProxies
    private let rate: RateLimit?
    let isEnding = Atomic<Bool>(false)
    /// The number of connections that were handed to the library.
    private let added = Atomic<UInt32>(0)
    /// The number of handed-over connections that the library has begun to serve.
    private let begun = Atomic<UInt32>(0)
    /// Guards `notes`.
    private let lock = Lock()
    private var notes = ConnectionNotes()

    /// Throws if the system gives no random numbers.
    convenience init(
        _ site: HTTPServerSite, _ load: HTTPServerLoad, _ settings: HTTPServerSettings, isFed: Bool
    ) throws(Failure) {
        let rate = settings.rate > 0 ? RateLimit(perSecond: settings.rate) : nil
        if settings.rate > 0 && rate == nil { throw Failure(.transport, "no random numbers") }
        self.init(site, load, settings, isFed, rate)
    }

    private init(
        _ site: HTTPServerSite, _ load: HTTPServerLoad, _ settings: HTTPServerSettings, _ isFed: Bool,
        _ rate: RateLimit?
    ) {
        self.isFed = isFed
        self.site = site
        self.load = load
        idle = UInt64(settings.idleSeconds) * 1_000_000
        age = UInt64(settings.ageSeconds) * 1_000_000
        connections = settings.connections
        proxies = settings.proxies
        peers = ServerPeers(settings)
        self.rate = rate
    }

    /// Whether a new connection from an address is accepted, to be served or to be answered with 503.
    func admits(_ address: ClientAddress?) -> Bool {
        guard let limit = peers.closes(address) else { return true }
        note(limit, address)
        return false
    }

    /// The refusal if a connection is above a limit; nil if its request is served. A server that is ending serves every
    /// request that has arrived, since the client could not repeat it. A connection above the limit of all clients is
    /// served as long as the requests under way do not exceed that limit.
    func crowding(_ peer: ServerPeer?) -> HTTPRefusal? {
        if isEnding.load(ordering: .relaxed) || peer?.isOwn == true { return nil }
        guard let peer, let limit = peers.limit(of: peer) else { return nil }
        if limit == .ofAll && load.requests <= connections { return nil }
        note(limit, peer.address)
        return .crowded(limit)
    }

    private func note(_ limit: ConnectionLimit, _ address: ClientAddress?) {
        load.turnedAway.add(1, ordering: .relaxed)
        lock.hold { notes.add(limit, address?.client, at: microsecondsNow()) }
    }

    /// Reports connections above a limit where a report is due; at the end, all that have not been reported.
    func tellRefused(isEnd: Bool = false) {
        for note in lock.hold({ isEnd ? notes.takeAll() : notes.take(at: microsecondsNow()) }) { site.refused(note) }
    }

    /// nil if the client's address is not known.
    func client(_ head: RequestHead?, of peer: ServerPeer?) -> ClientAddress? {
        head.map { proxies.client(behind: peer?.address, $0) } ?? peer?.address
    }

    /// Whether the rate limit allows a request of a client now.
    func admitsRequest(of client: ClientAddress?) -> Bool {
        guard let rate, let client else { return true }
        return rate.admits(client.client, at: microsecondsNow())
    }

    func isOld(_ peer: ServerPeer) -> Bool { microsecondsNow() - peer.start >= age }

    /// Hands a connection to the library, which closes it if it is not admitted.
    func add(_ connection: AcceptedConnection, to daemon: OpaquePointer) {
        var address = connection.address
        added.add(1, ordering: .relaxed)
        let result = withSocketAddress(&address) {
            MHD_add_connection(daemon, connection.socket, $0, connection.size)
        }
        if result == .NO { added.subtract(1, ordering: .relaxed) }
    }

    /// The number of connections that are open or were just handed to the library. Valid only if `isFed` is true.
    var arrivedConnections: UInt32 { load.connections &+ arriving }

    private var arriving: UInt32 { added.load(ordering: .relaxed) &- begun.load(ordering: .relaxed) }

    func begin(_ peer: ServerPeer) {
        if isFed || peer.isOwn { begun.add(1, ordering: .relaxed) }
        load.open.add(1, ordering: .relaxed)
        noteDropped(peers.add(peer))
    }

    func end(_ peer: ServerPeer) {
        peers.remove(peer)
        load.open.subtract(1, ordering: .relaxed)
    }

    /// Whether no request is under way and no bytes are unread.
    var isQuiet: Bool { load.requests == 0 && arriving == 0 && !peers.hasUnread }

    /// Cuts connections that are too slow, and makes room if all places are taken. Called regularly.
    func cutSlowPeers() {
        peers.cut(slowerThan: 2 * idle)
        makeRoomWhereFull()
    }

    func makeRoomWhereFull() { noteDropped(peers.makeRoomWhereFull()) }

    private func noteDropped(_ count: Int) {
        if count > 0 { load.dropped.add(UInt64(count), ordering: .relaxed) }
    }

    /// Tells a client why its connection is closed: its request was incomplete for too long, or cannot be read.
    func bidFarewell(_ peer: ServerPeer, _ farewell: HTTPRefusal) {
        peer.say(farewell)
        let unread = HTTPServerRequest(method: none, target: none, body: none, client: client(nil, of: peer))
        site.answered(nil, unread, HTTPServerAnswer(farewell: farewell), microsecondsNow() - peer.start)
    }
}

private var none: Bytes { Bytes(start: nil, count: 0) }

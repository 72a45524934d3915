internal import CSKANMicrohttpd
internal import CSKANSystem
package import SKANCore
internal import SKANSystem
internal import Synchronization

/// Begins to listen and to answer. Throws, and says why, where it cannot.
@export(interface)
package func startHTTPServer(
    _ settings: HTTPServerSettings, _ site: HTTPServerSite, _ load: HTTPServerLoad
) throws(Failure) -> any HTTPServer {
    try MicrohttpdServer(settings, site, load)
}

/// The server, by libmicrohttpd: each of its threads has its part of the connections.
private final class MicrohttpdServer: HTTPServer {
    private let traffic: ServerTraffic
    private let listener: ServerListener
    private let watchman: RepeatingThread
    private let daemon: OpaquePointer

    convenience init(
        _ settings: HTTPServerSettings, _ site: HTTPServerSite, _ load: HTTPServerLoad
    ) throws(Failure) {
        let listener = try ServerListener(address: settings.address, port: settings.port)
        let traffic = try newTraffic(site, load, settings, listener)
        let watchman = RepeatingThread(everyMilliseconds: 500) {
            traffic.cutSlowPeers()
            traffic.tellRefused()
        }
        guard watchman.start() else {
            close(listener.socket)
            throw Failure(.transport, "cannot start a thread")
        }
        guard let daemon = start(settings, listener, traffic) else {
            let why = Message(systemError: systemError)
            watchman.stop()
            close(listener.socket)
            throw Failure(.transport, "cannot start on \(settings.address) port \(Int(listener.port)): \(why)")
        }
        self.init(traffic, listener, watchman, daemon)
    }

    private init(
        _ traffic: ServerTraffic, _ listener: ServerListener, _ watchman: RepeatingThread, _ daemon: OpaquePointer
    ) {
        self.traffic = traffic
        self.listener = listener
        self.watchman = watchman
        self.daemon = daemon
    }

    var port: UInt16 { listener.port }

    func stop(graceMilliseconds: UInt64) {
        traffic.isEnding.store(true, ordering: .relaxed)
        // Who is there or waits in the listener's queue is still answered. The library's own way to take in nobody
        // more, MHD_quiesce_daemon, ends the process where a thread of its does the same at that moment.
        _ = system_refuse_connections(listener.socket)
        waitUntilQuiet(graceMilliseconds)
        endWork()
        // First: it reaches for sockets that are closed by the other.
        watchman.stop()
        MHD_stop_daemon(daemon)
        traffic.tellRefused(isEnd: true)
    }

    /// The library ends no connection while work on its request is under way, however long that takes.
    private func endWork() {
        let pools = traffic.site.pools
        for pool in pools { pool.giveUp() }
        while pools.contains(where: { $0.load.busy > 0 }) { usleep(1000) }
        // What was answered last is still to be sent.
        for _ in 0..<20 where traffic.load.requests > 0 { usleep(5000) }
    }

    private func waitUntilQuiet(_ graceMilliseconds: UInt64) {
        let start = microsecondsNow()
        var quietSince = start
        while microsecondsNow() - start < graceMilliseconds * 1000 {
            let isAnyoneWaiting = system_waiting(listener.socket) > 0
            if isAnyoneWaiting { traffic.makeRoomWhereFull() }
            if isAnyoneWaiting || !traffic.isQuiet { quietSince = microsecondsNow() }
            // Those left are idle: clients keep them for later.
            let enough: UInt64 = traffic.load.connections == 0 ? 50_000 : 250_000
            if microsecondsNow() - quietSince > enough { break }
            usleep(5000)
        }
    }
}

private func start(
    _ settings: HTTPServerSettings, _ listener: ServerListener, _ traffic: ServerTraffic
) -> OpaquePointer? {
    // A thread without any connection of its own would take some in and let them wait.
    let threads = min(settings.threads, settings.connections)
    return skan_mhd_start(
        skan_mhd_settings(
            listener: listener.socket, threads: threads,
            connections: settings.connections + settings.mostCrowded,
            idle_seconds: settings.idleSeconds, header_bytes: settings.headerBytes),
        skan_mhd_callbacks(
            context: Unmanaged.passUnretained(traffic).toOpaque(), admit: MicrohttpdCalls.admit,
            begin: MicrohttpdCalls.begin, handle: MicrohttpdCalls.handle, end: MicrohttpdCalls.end,
            watch: MicrohttpdCalls.watch, listen: MicrohttpdCalls.listen))
}

private func newTraffic(
    _ site: HTTPServerSite, _ load: HTTPServerLoad, _ settings: HTTPServerSettings, _ listener: ServerListener
) throws(Failure) -> ServerTraffic {
    do throws(Failure) { return try ServerTraffic(site, load, settings) } catch {
        close(listener.socket)
        throw error
    }
}

import CSKANMicrohttpd
import CSKANSystem
package import SKANCore
import SKANSystem
import Synchronization

/// Starts to listen and to answer. Throws the reason if it cannot.
@export(interface)
package func startHTTPServer(
    _ settings: HTTPServerSettings, _ site: HTTPServerSite, _ load: HTTPServerLoad
) throws(Failure) -> any HTTPServer {
    try MicrohttpdServer(settings, site, load)
}

/// The server based on libmicrohttpd. Each of its threads has a part of the connections.
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
        // Clients that are connected, or wait in the listener's queue, are still answered. The library's own call to
        // stop accepting, MHD_quiesce_daemon, can end the process if one of its threads calls it at the same time.
        _ = system_refuse_connections(listener.socket)
        waitUntilQuiet(graceMilliseconds)
        endWork()
        // Comes first, because the watchman uses sockets that the next call closes.
        watchman.stop()
        MHD_stop_daemon(daemon)
        traffic.tellRefused(isEnd: true)
    }

    /// Ends work in progress: the library does not close a connection while its request is being worked on, however
    /// long that takes.
    private func endWork() {
        let pools = traffic.site.pools
        for pool in pools { pool.giveUp() }
        while pools.contains(where: { $0.load.busy > 0 }) { usleep(1000) }
        // The last answers still have to be sent.
        for _ in 0..<20 where traffic.load.requests > 0 { usleep(5000) }
    }

    private func waitUntilQuiet(_ graceMilliseconds: UInt64) {
        let start = microsecondsNow()
        var quietSince = start
        while microsecondsNow() - start < graceMilliseconds * 1000 {
            let isAnyoneWaiting = system_waiting(listener.socket) > 0
            if isAnyoneWaiting { traffic.makeRoomWhereFull() }
            if isAnyoneWaiting || !traffic.isQuiet { quietSince = microsecondsNow() }
            // The remaining connections are idle; clients keep them open for later.
            let enough: UInt64 = traffic.load.connections == 0 ? 50_000 : 250_000
            if microsecondsNow() - quietSince > enough { break }
            usleep(5000)
        }
    }
}

private func start(
    _ settings: HTTPServerSettings, _ listener: ServerListener, _ traffic: ServerTraffic
) -> OpaquePointer? {
    // A thread that may have no connections would accept some and let them wait.
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

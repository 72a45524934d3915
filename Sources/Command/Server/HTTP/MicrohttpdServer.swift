import CSKANMicrohttpd
import CSKANSystem
package import SKANCore
import SKANSystem
import Synchronization

/// Throws the reason if the server cannot start.
@export(interface)
package func startHTTPServer(
    _ settings: HTTPServerSettings, _ site: HTTPServerSite, _ load: HTTPServerLoad
) throws(Failure) -> any HTTPServer {
    var listeners: [ServerListener] = []
    do throws(Failure) {
        for place in settings.places { listeners.append(try ServerListener(place, mode: settings.socketMode)) }
        return try MicrohttpdServer(settings, listeners, site, load)
    } catch {
        for listener in listeners { listener.end() }
        throw error
    }
}

/// The server based on libmicrohttpd. Each of its threads serves a part of the connections. If the server listens only
/// on one TCP socket, which the process opened itself, the library accepts the connections; otherwise an acceptor does.
private final class MicrohttpdServer: HTTPServer {
    private let traffic: ServerTraffic
    private let listeners: [ServerListener]
    private let watchman: RepeatingThread
    private let daemon: OpaquePointer
    private let acceptor: ServerAcceptor?

    convenience init(
        _ settings: HTTPServerSettings, _ listeners: [ServerListener], _ site: HTTPServerSite, _ load: HTTPServerLoad
    ) throws(Failure) {
        let accepts = listeners.count == 1 && listeners[0].isOwnTCP
        let traffic = try ServerTraffic(site, load, settings, isFed: !accepts)
        let watchman = RepeatingThread(everyMilliseconds: 500) {
            traffic.cutSlowPeers()
            traffic.tellRefused()
        }
        guard watchman.start() else { throw .noThread }
        guard let daemon = skan_mhd_start(settings.library(accepts ? listeners[0].socket : -1), callbacks(traffic))
        else {
            let why = Message(systemError: systemError)
            watchman.stop()
            throw Failure(.transport, "cannot start on \(names(of: listeners)): \(why)")
        }
        var acceptor: ServerAcceptor?
        if !accepts {
            acceptor = ServerAcceptor(listeners, traffic, daemon, most: settings.connections + settings.mostCrowded)
            guard let acceptor, acceptor.start() else {
                MHD_stop_daemon(daemon)
                watchman.stop()
                throw .noThread
            }
        }
        self.init(traffic, listeners, watchman, daemon, acceptor)
    }

    private init(
        _ traffic: ServerTraffic, _ listeners: [ServerListener], _ watchman: RepeatingThread, _ daemon: OpaquePointer,
        _ acceptor: ServerAcceptor?
    ) {
        self.traffic = traffic
        self.listeners = listeners
        self.watchman = watchman
        self.daemon = daemon
        self.acceptor = acceptor
    }

    var name: Message { names(of: listeners) }

    func answers(withinMilliseconds limit: Int64) -> Bool {
        OwnConnection.isAnswered(withinMilliseconds: limit) { traffic.add($0, to: daemon) }
    }

    func stop(graceMilliseconds: UInt64) {
        traffic.isEnding.store(true, ordering: .relaxed)
        // Clients that are connected, or wait in the queue of a socket that ends with the process, are still answered.
        // The library's own call to stop accepting, MHD_quiesce_daemon, is not used: it can end the process if one of
        // the library's threads does the same at that moment.
        for listener in listeners { listener.refuse() }
        acceptor?.leaveInherited()
        waitUntilQuiet(graceMilliseconds)
        acceptor?.stop()
        endWork()
        // The watchman stops first, because it uses sockets that the next call closes.
        watchman.stop()
        MHD_stop_daemon(daemon)
        traffic.tellRefused(isEnd: true)
    }

    /// Gives up requests that wait in the pools, and waits for those in progress, because the library does not close a
    /// connection whose request is being worked on.
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
            let isAnyoneWaiting = listeners.contains { $0.isOwn && system_is_waiting($0.socket) }
            if isAnyoneWaiting { traffic.makeRoomWhereFull() }
            if isAnyoneWaiting || !traffic.isQuiet { quietSince = microsecondsNow() }
            // The remaining connections are idle; clients keep them open for later.
            let enough: UInt64 = traffic.load.connections == 0 ? 50_000 : 250_000
            if microsecondsNow() - quietSince > enough { break }
            usleep(5000)
        }
    }
}

/// "http://127.0.0.1:8080 and unix:/run/skan.sock".
private func names(of listeners: [ServerListener]) -> Message {
    var names = listeners.first?.name ?? ""
    for listener in listeners.dropFirst() { names = "\(names) and \(listener.name)" }
    return names
}

extension HTTPServerSettings {
    /// `listener`: the socket whose connections the library accepts; -1 for none.
    fileprivate func library(_ listener: Int32) -> skan_mhd_settings {
        // There are no more threads than connections, because a thread that has room for no connection would accept
        // some and let them wait.
        skan_mhd_settings(
            listener: listener, threads: min(threads, connections), connections: connections + mostCrowded,
            idle_seconds: idleSeconds, header_bytes: headerBytes)
    }
}

private func callbacks(_ traffic: ServerTraffic) -> skan_mhd_callbacks {
    skan_mhd_callbacks(
        context: Unmanaged.passUnretained(traffic).toOpaque(), admit: MicrohttpdCalls.admit,
        begin: MicrohttpdCalls.begin, handle: MicrohttpdCalls.handle, end: MicrohttpdCalls.end,
        watch: MicrohttpdCalls.watch, listen: MicrohttpdCalls.listen)
}

extension Failure {
    fileprivate static var noThread: Failure { Failure(.transport, "cannot start a thread") }
}

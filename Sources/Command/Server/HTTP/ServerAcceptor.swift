import CSKANSystem
import SKANCore
import SKANSystem
import Synchronization

/// Accepts connections and hands them to libmicrohttpd. The library itself cannot stop accepting without closing its
/// socket, but a service manager's socket must stay open for the next process. Has its own thread.
final class ServerAcceptor: @unchecked Sendable {
    private let listeners: [ServerListener]
    private let traffic: ServerTraffic
    private let daemon: OpaquePointer
    /// The maximum number of open connections. Further ones wait in the queues of the listening sockets.
    private let most: UInt32
    /// The two ends of a pipe: a byte written to `waker` wakes the thread, which polls `woken`.
    private let waker, woken: Int32
    private let leavesInherited = Atomic<Bool>(false)
    private let isStopped = Atomic<Bool>(false)
    private var thread: SystemThread?

    private static var pause: Int32 { 10 }

    /// nil if no pipe can be made.
    convenience init?(_ listeners: [ServerListener], _ traffic: ServerTraffic, _ daemon: OpaquePointer, most: UInt32) {
        var (woken, waker): (Int32, Int32) = (-1, -1)
        guard system_pipe(&woken, &waker) == 0 else { return nil }
        self.init(listeners, traffic, daemon, most, waker: waker, woken: woken)
    }

    private init(
        _ listeners: [ServerListener], _ traffic: ServerTraffic, _ daemon: OpaquePointer, _ most: UInt32,
        waker: Int32, woken: Int32
    ) {
        self.listeners = listeners
        self.traffic = traffic
        self.daemon = daemon
        self.most = most
        self.waker = waker
        self.woken = woken
    }

    deinit {
        close(waker)
        close(woken)
        for listener in listeners { close(listener.socket) }
    }

    /// The thread must be ended by `stop`. Returns false if no thread can be started.
    func start() -> Bool {
        thread = SystemThread {
            while !self.isStopped.load(ordering: .relaxed) { self.acceptWaiting() }
        }
        return thread != nil
    }

    /// Leaves connections that wait in inherited sockets to the next process.
    func leaveInherited() {
        leavesInherited.store(true, ordering: .relaxed)
        wake()
    }

    /// Waits until the thread has ended.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        wake()
        thread?.join()
        thread = nil
    }

    private func wake() {
        var byte: UInt8 = 0
        _ = write(waker, &byte, 1)
    }

    private func acceptWaiting() {
        var polled = [pollfd(fd: woken, events: Int16(POLLIN), revents: 0)]
        let hasRoom = traffic.arrivedConnections < most
        if hasRoom {
            let leaves = leavesInherited.load(ordering: .relaxed)
            for listener in listeners where listener.isOwn || !leaves {
                polled.append(pollfd(fd: listener.socket, events: Int16(POLLIN), revents: 0))
            }
        }
        guard poll(&polled, nfds_t(polled.count), hasRoom ? -1 : ServerAcceptor.pause) > 0 else { return }
        if polled[0].revents != 0 {
            var bytes: UInt64 = 0
            while read(woken, &bytes, MemoryLayout<UInt64>.size) > 0 {}
            return
        }
        for each in polled.dropFirst() where each.revents != 0 {
            guard let connection = AcceptedConnection(each.fd) else { continue }
            traffic.add(connection, to: daemon)
        }
    }
}

import CSKANSystem
package import SKANCore
import SKANSystem

/// The service manager that started the process, such as systemd: sd_notify(3), sd_listen_fds(3),
/// sd_watchdog_enabled(3). Without a manager, notices are not sent. Thread-safe.
package struct ServiceManager: Sendable {
    /// The name of the Unix socket to which notices are sent; nil if there is none.
    private let socket: [UInt8]?
    /// The time in microseconds after which a silent process is ended; nil if the manager does not watch it.
    let watchdogMicroseconds: UInt64?
    /// The listening sockets that the manager has opened for this process, with their names.
    package let sockets: [(descriptor: Int32, name: [UInt8])]

    /// The time in seconds that stopping may take in addition to the times that options allow.
    static var spareSeconds: UInt64 { 5 }

    /// Reads the environment variables that the manager has set.
    package init() {
        socket = variable("NOTIFY_SOCKET").flatMap { unixAddress($0) == nil ? nil : $0 }
        let isWatched = number("WATCHDOG_PID").map { $0 == UInt64(getpid()) } ?? true
        watchdogMicroseconds = isWatched ? number("WATCHDOG_USEC").flatMap { $0 > 0 ? $0 : nil } : nil
        sockets = givenSockets()
    }

    /// Sends the manager a notice, which is lines of NAME=VALUE. Never waits, and ignores errors.
    func tell(_ lines: Message) {
        guard let socket, var address = unixAddress(socket) else { return }
        let sender = newSocket(AF_UNIX, SOCK_DGRAM)
        guard sender >= 0 else { return }
        defer { close(sender) }
        lines.utf8.withUnsafeBytes { lines in
            _ = withSocketAddress(&address.address) {
                sendto(sender, lines.baseAddress, lines.count, Int32(MSG_NOSIGNAL), $0, address.size)
            }
        }
    }

    func tellReady(_ status: Message) { tell("READY=1\n\(line(status))") }

    /// The reload ends with `tellReady`.
    func tellReloading() { tell("RELOADING=1\nMONOTONIC_USEC=\(microsecondsNow())") }

    /// `seconds`: the maximum time until the process ends.
    func tellStopping(_ status: Message, within seconds: UInt64) {
        tell("STOPPING=1\nEXTEND_TIMEOUT_USEC=\(seconds * 1_000_000)\n\(line(status))")
    }

    /// Control characters become spaces, so that the status stays on one line.
    private func line(_ status: Message) -> Message {
        "STATUS=\(Message(utf8: status.utf8.map { $0 < 0x20 ? 0x20 : $0 }))"
    }
}

/// The first descriptor that a manager passes.
private var firstDescriptor: Int32 { 3 }
/// The maximum number of sockets that a manager may pass.
private var mostSockets: UInt64 { 64 }

private func givenSockets() -> [(descriptor: Int32, name: [UInt8])] {
    guard number("LISTEN_PID") == UInt64(getpid()), let count = number("LISTEN_FDS"), count <= mostSockets else {
        return []
    }
    let names = (variable("LISTEN_FDNAMES") ?? []).split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    return (0..<Int(count)).map { place in
        let descriptor = firstDescriptor + Int32(place)
        _ = system_close_on_exec(descriptor)
        return (descriptor: descriptor, name: names.indices.contains(place) ? [UInt8](names[place]) : [])
    }
}

private func variable(_ name: StaticString) -> [UInt8]? {
    getenv(name.cString).map { Message($0).utf8 }
}

private func number(_ name: StaticString) -> UInt64? {
    variable(name).flatMap { wholeNumber(ofDigits: $0) }.flatMap { UInt64(exactly: $0) }
}

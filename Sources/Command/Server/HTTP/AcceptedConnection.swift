import CSKANSystem
import SKANSystem

/// A connection and its client's address.
struct AcceptedConnection {
    let socket: Int32
    private(set) var address = sockaddr_storage()
    private(set) var size = socklen_t(MemoryLayout<sockaddr_storage>.size)

    /// Accepts a waiting connection; nil if none waits. Pauses briefly if the process can open no more files or memory
    /// is short.
    init?(_ listener: Int32) {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let accepted = withSocketAddress(&address) { system_accept(listener, $0, &size) }
        guard accepted >= 0 else {
            if systemError == EMFILE || systemError == ENFILE || systemError == ENOMEM { usleep(10_000) }
            return nil
        }
        socket = accepted
        self.address = address
        self.size = max(size, socklen_t(MemoryLayout<sa_family_t>.size))
    }

    /// Makes the server's own connection to itself, which has no address.
    init(own socket: Int32) {
        self.socket = socket
        address.ss_family = sa_family_t(AF_UNSPEC)
    }
}

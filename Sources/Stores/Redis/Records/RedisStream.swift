internal import CSKANSystem
internal import SKANCore
internal import SKANSystem

/// A stream of bytes to and from a server, with or without TLS. Only `init` waits; all other calls return at once.
final class RedisStream {
    let socket: Int32
    private let session: RedisTLSSession?

    /// Connects by `deadline` at the latest.
    convenience init(_ place: RedisPlace, _ tls: RedisTLS?, by deadline: Int64) throws(RedisTrouble) {
        let connected = try RedisSocket.connect(place, by: deadline)
        do throws(RedisTrouble) {
            self.init(connected, try tls?.session(connected, place))
            try shakeHands(deadline)
        } catch {
            CSKANSystem.close(connected)
            throw error
        }
    }

    private init(_ socket: Int32, _ session: RedisTLSSession?) {
        self.socket = socket
        self.session = session
    }

    private func shakeHands(_ deadline: Int64) throws(RedisTrouble) {
        guard let session else { return }
        while true {
            let events = try session.shakeHands()
            if events == 0 { return }
            if RedisSocket.wait(socket, for: events, until: deadline) == 0 {
                throw RedisTrouble("connect: TLS: no answer in time", isLate: true)
            }
        }
    }

    /// Must be called exactly once.
    func close() {
        session?.end()
        CSKANSystem.close(socket)
    }

    /// Whether an idle connection is unchanged: the server has neither closed it nor sent anything.
    var isQuiet: Bool {
        var byte: UInt8 = 0
        let flags = Int32(MSG_PEEK | MSG_DONTWAIT)
        if recv(socket, &byte, 1, flags) < 0 {
            guard systemError == EAGAIN else { return false }
            if !hasPending { return true }
        }
        guard let session else { return false }
        // The received bytes may be messages of TLS alone, without data.
        return withUnsafeMutableBytes(of: &byte) { room in
            if case .again = session.read(room, peeks: true) { return true }
            return false
        }
    }

    /// Whether there are received bytes that the socket does not show, because TLS has taken them already.
    var hasPending: Bool { session?.hasPending ?? false }

    func receive(_ room: UnsafeMutableRawBufferPointer) -> RedisTransfer {
        if let session { return session.read(room) }
        let flags = Int32(MSG_DONTWAIT)
        var length = recv(socket, room.baseAddress, room.count, flags)
        var error = length < 0 ? systemError : 0
        // A Unix socket reports this error before the bytes that it still holds.
        if error == ECONNRESET {
            length = recv(socket, room.baseAddress, room.count, flags)
            if length > 0 { error = 0 }
        }
        if error == EINTR || error == EAGAIN { return .again }
        if error != 0 { return .failed(Message(systemError: error)) }
        return length == 0 ? .ended : .bytes(length)
    }

    /// Sends bytes. The result has the number of bytes that the system took, at least one.
    func send(_ bytes: Bytes) -> RedisTransfer {
        if let session { return session.write(bytes) }
        while true {
            let taken = CSKANSystem.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            if taken >= 0 { return .bytes(taken) }
            let error = systemError
            if error == EAGAIN { return .again }
            if error != EINTR { return .failed(Message(systemError: error)) }
        }
    }
}

internal import CSKANSystem
internal import CSKANTLS
internal import SKANCore
internal import SKANSystem

/// The TLS context that all connections of a store share, with the certificate authorities and the client's
/// certificate.
final class RedisTLS: @unchecked Sendable {
    private let context: OpaquePointer
    private let ways: OpaquePointer
    private let serverName: CText?

    convenience init(_ files: RedisTLSFiles) throws(Failure) {
        ERR_clear_error()
        guard let context = SSL_CTX_new(TLS_client_method()), let ways = RedisTLS.waysToSocket() else {
            throw Failure(.store, "TLS: \(RedisTLS.words())")
        }
        self.init(context, ways, files.serverName)
        // For a key with a password, OpenSSL would otherwise ask for the password at the terminal.
        SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in 0 }
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        guard tls_prepare(context) == 1 else { throw Failure(.store, "TLS: \(RedisTLS.words())") }
        if let authorities = files.authorities {
            try check(SSL_CTX_load_verify_file(context, authorities.characters), "cacert", authorities)
        } else if SSL_CTX_set_default_verify_paths(context) != 1 {
            throw Failure(.store, "TLS: the system's certificates: \(RedisTLS.words())")
        }
        if let certificate = files.certificate {
            try check(SSL_CTX_use_certificate_chain_file(context, certificate.characters), "cert", certificate)
        }
        if let key = files.key {
            try check(SSL_CTX_use_PrivateKey_file(context, key.characters, SSL_FILETYPE_PEM), "key", key)
        }
    }

    /// Takes ownership of the context and of `ways`, the functions that read and write a socket.
    private init(_ context: OpaquePointer, _ ways: OpaquePointer, _ serverName: CText?) {
        self.context = context
        self.ways = ways
        self.serverName = serverName
    }

    deinit {
        SSL_CTX_free(context)
        BIO_meth_free(ways)
    }

    private func check(_ result: Int32, _ name: StaticString, _ file: CText) throws(Failure) {
        if result != 1 { throw Failure(.store, "TLS: \(name) \(file.message): \(RedisTLS.words())") }
    }

    /// Creates a session on a socket that is connected to the server at `place`.
    func session(_ socket: Int32, _ place: RedisPlace) throws(RedisTrouble) -> RedisTLSSession {
        ERR_clear_error()
        guard let session = SSL_new(context), let way = BIO_new(ways) else {
            throw RedisTrouble("connect: TLS: \(RedisTLS.words())")
        }
        BIO_set_data(way, UnsafeMutableRawPointer(bitPattern: Int(socket) + 1))
        SSL_set_bio(session, way, way)
        let made = RedisTLSSession(session)
        if let name = serverName ?? place.host, !made.expect(name) {
            throw RedisTrouble("connect: TLS: \(RedisTLS.words())")
        }
        return made
    }

    /// The text of this thread's oldest error. Clears all errors of this thread.
    static func words() -> Message {
        defer { ERR_clear_error() }
        guard let words = tls_error_words() else { return "out of memory" }
        return Message(words)
    }

    // MARK: The socket

    /// The functions with which TLS reads and writes a socket. libssl's own ones raise SIGPIPE if the server has closed
    /// the connection.
    private static func waysToSocket() -> OpaquePointer? {
        guard let ways = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "skan") else { return nil }
        BIO_meth_set_create(ways) { way in
            BIO_set_init(way, 1)
            return 1
        }
        BIO_meth_set_write(ways) { way, bytes, count in
            tls_begin_bio(way)
            let sent = send(socket(of: way), bytes, Int(max(count, 0)), Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            if sent < 0 && (systemError == EAGAIN || systemError == EINTR) { tls_retry_write(way) }
            return Int32(truncatingIfNeeded: sent)
        }
        BIO_meth_set_read(ways) { way, room, count in
            tls_begin_bio(way)
            let received = recv(socket(of: way), room, Int(max(count, 0)), Int32(MSG_DONTWAIT))
            if received < 0 && (systemError == EAGAIN || systemError == EINTR) { tls_retry_read(way) }
            return Int32(truncatingIfNeeded: received)
        }
        BIO_meth_set_ctrl(ways) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
        return ways
    }
}

private func socket(of way: OpaquePointer?) -> Int32 {
    Int32(truncatingIfNeeded: Int(bitPattern: BIO_get_data(way)) - 1)
}

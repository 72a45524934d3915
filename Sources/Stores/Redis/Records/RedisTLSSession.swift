internal import CSKANSystem
internal import CSKANTLS
internal import SKANCore
internal import SKANSystem

/// A TLS session on one socket. No call waits.
final class RedisTLSSession {
    private let session: OpaquePointer

    /// Takes ownership of an SSL object.
    init(_ session: OpaquePointer) { self.session = session }

    deinit { SSL_free(session) }

    /// Requires that the server's certificate has this name or IP address. Returns false if there is no memory.
    func expect(_ name: CText) -> Bool {
        if X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), name.characters) == 1 { return true }
        ERR_clear_error()
        SSL_set_hostflags(session, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        return SSL_set1_host(session, name.characters) == 1 && tls_set_server_name(session, name.characters) == 1
    }

    /// Continues the handshake. Returns the socket's events that it waits for; 0 once it is done.
    func shakeHands() throws(RedisTrouble) -> Int32 {
        ERR_clear_error()
        let done = SSL_connect(session)
        if done == 1 { return 0 }
        switch SSL_get_error(session, done) {
        case SSL_ERROR_WANT_READ: return POLLIN
        case SSL_ERROR_WANT_WRITE: return POLLOUT
        case SSL_ERROR_SYSCALL where ERR_peek_error() == 0:
            let error = systemError
            throw RedisTrouble(
                "connect: TLS: \(error == 0 ? "the server ended the connection" : Message(systemError: error))")
        default: break
        }
        let verified = SSL_get_verify_result(session)
        if verified != Int(X509_V_OK) {
            ERR_clear_error()
            throw RedisTrouble(
                "connect: TLS: the server's certificate: \(Message(X509_verify_cert_error_string(verified)))")
        }
        throw RedisTrouble("connect: TLS: \(RedisTLS.words())")
    }

    /// Whether bytes were received and not read yet. They may contain no data, only messages of TLS itself.
    var hasPending: Bool { SSL_has_pending(session) == 1 }

    func read(_ room: UnsafeMutableRawBufferPointer, peeks: Bool = false) -> RedisTransfer {
        ERR_clear_error()
        clearSystemError()
        let most = Int32(truncatingIfNeeded: room.count)
        let count = peeks ? SSL_peek(session, room.baseAddress, most) : SSL_read(session, room.baseAddress, most)
        return count > 0 ? .bytes(Int(count)) : result(count)
    }

    func write(_ bytes: Bytes) -> RedisTransfer {
        ERR_clear_error()
        clearSystemError()
        let count = SSL_write(session, bytes.baseAddress, Int32(truncatingIfNeeded: min(bytes.count, 1 << 20)))
        return count > 0 ? .bytes(Int(count)) : result(count)
    }

    private func result(_ returned: Int32) -> RedisTransfer {
        let error = systemError
        switch SSL_get_error(session, returned) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .again
        case SSL_ERROR_ZERO_RETURN: return .ended
        case SSL_ERROR_SYSCALL: return error == 0 ? .ended : .failed(Message(systemError: error))
        default: return .failed("TLS: \(RedisTLS.words())")
        }
    }

    /// Tells the server that nothing more will be sent.
    func end() {
        ERR_clear_error()
        SSL_shutdown(session)
        ERR_clear_error()
    }
}

/// The result of receiving or sending bytes without waiting.
enum RedisTransfer {
    case bytes(Int)
    /// No bytes can be transferred at the moment.
    case again
    /// The server ended the connection.
    case ended
    case failed(Message)
}

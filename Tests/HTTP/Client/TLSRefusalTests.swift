import SKANCore
import SKANHTTPClient
import SKANSystem
import Testing

/// libcurl's words for what OpenSSL said.
@Suite struct TLSRefusalTests {
    @Test(arguments: [
        "error:0A00010B:SSL routines::wrong version number", "error:0A00009C:SSL routines::http request",
        "OpenSSL SSL_connect: error:0A000410:SSL routines::sslv3 alert handshake failure",
        "error:0A00042E:SSL routines::tlsv1 alert protocol version",
        "OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0",
    ])
    func noRepeatMends(words: String) {
        #expect(isTLSRefusal(Message(utf8: [UInt8](words.utf8))))
    }

    @Test(arguments: [
        "", "error:", "error:0A00010", "error:0A0001zz:", "error:0a00010b:", "OpenSSL SSL_connect: SSL_ERROR_SYSCALL",
        "OpenSSL SSL_connect: Connection reset by peer in connection to 127.0.0.1:1",
        "error:0A000126:SSL routines::unexpected eof while reading",
        "error:0A000438:SSL routines::tlsv1 alert internal error", "error:0200010B:rsa routines::reason",
        "error:80000068:system library::Connection reset by peer",
    ])
    func mayPass(words: String) {
        #expect(!isTLSRefusal(Message(utf8: [UInt8](words.utf8))))
    }
}

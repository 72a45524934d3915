package import SKANCore
internal import SKANSystem

/// Whether libcurl's words say that TLS cannot come about, however often it is tried: the other side sent something
/// that is not TLS, or refused the handshake. They are OpenSSL's then: "error:0A00010B:SSL routines::wrong version
/// number". Not where the connection only ended.
package func isTLSRefusal(_ words: Message) -> Bool {
    guard let number = number(in: words) else { return false }
    return number.library == sslLibrary && !passing.contains(number.reason)
}

/// The library and the reason of an error of OpenSSL 3; nil: the words have none.
private func number(in words: Message) -> (library: UInt32, reason: UInt32)? {
    let mark = StaticString("error:").bytes
    let text = words.utf8
    guard let start = text.indices.first(where: { text[$0...].starts(with: mark) }) else { return nil }
    let digits = text[(start + mark.count)...].prefix(8)
    guard digits.count == 8 else { return nil }
    var number: UInt32 = 0
    for digit in digits {
        guard let value = (0..<16).first(where: { hexDigit($0) == digit }) else { return nil }
        number = number << 4 | UInt32(value)
    }
    return (number >> 23, number & 0x7F_FFFF)
}

/// ERR_LIB_SSL
private var sslLibrary: UInt32 { 20 }

/// The connection ended in the handshake, and the other side tells of an error of its own.
private var passing: [UInt32] { [294, 1080] }

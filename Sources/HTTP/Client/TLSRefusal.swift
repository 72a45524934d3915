package import SKANCore
internal import SKANSystem

/// Whether libcurl's text says that TLS cannot succeed, however often it is tried, because the other side sent
/// something that is not TLS, or refused the handshake. Such a text is OpenSSL's, for example "error:0A00010B:SSL
/// routines::wrong version number". Returns false if the connection only ended.
package func isTLSRefusal(_ words: Message) -> Bool {
    guard let number = number(in: words) else { return false }
    return number.library == sslLibrary && !passing.contains(number.reason)
}

/// The library number and the reason code in a text of OpenSSL 3; nil if the text has none.
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

/// OpenSSL's number of the library libssl, ERR_LIB_SSL.
private var sslLibrary: UInt32 { 20 }

/// OpenSSL's reason codes of errors that another attempt may not meet: the connection ended during the handshake, or
/// the other side reported an internal error.
private var passing: [UInt32] { [294, 1080] }
